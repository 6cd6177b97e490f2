import type { IncomingMessage } from 'node:http';
import { scriptedShape } from '../faults/fault-shapes.js';
import { problemsOf } from '../faults/problems-of.js';
import type { RecordedRequest } from '../ledger/recorded-request.js';
import type { ScriptedAnswer } from '../options.js';
import { withoutUnknownKeys } from './without-unknown-keys.js';

/** Remembers every request, and the answers that a test has put in for the next ones. */
export interface Recorder {
  readonly requests: readonly RecordedRequest[];
  /** The result adds the body to the record. */
  readonly record: (origin: RecordedRequest['origin'], request: IncomingMessage) => (body: string) => void;
  readonly answerOnce: (method: string, path: string, answer: ScriptedAnswer) => void;
  /** Takes the answer that waits for this request, if there is one. */
  readonly take: (method: string, path: string) => ScriptedAnswer | undefined;
}

/** A recorder that has seen nothing; of keys it keeps those that are known. */
export const createRecorder = (isKnown: (key: string) => boolean): Recorder => {
  const requests: RecordedRequest[] = [];
  const scripted: { readonly target: string; readonly answer: ScriptedAnswer }[] = [];
  return {
    requests,
    record: (origin, request) => {
      const { clean, ...kept } = withoutUnknownKeys(request, isKnown);
      const index = requests.push({ origin, ...kept }) - 1;
      return (body) => {
        requests[index] = { origin, ...kept, body: clean(body) };
      };
    },
    answerOnce: (method, path, answer) => {
      // Where the connection is cut, no status is sent.
      const sent = answer.cut === true ? { ...answer, status: 200 } : answer;
      const problems = problemsOf(sent, scriptedShape, 'answer');
      if (problems.length > 0) throw new TypeError(problems.join('\n'));
      scripted.push({ target: `${method} ${path}`, answer });
    },
    take: (method, path) => {
      const index = scripted.findIndex(({ target }) => target === `${method} ${path}`);
      return index < 0 ? undefined : scripted.splice(index, 1)[0]?.answer;
    },
  };
};
