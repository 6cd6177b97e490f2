import type { IncomingMessage } from 'node:http';
import { problemsOf } from '../faults/read-faults.js';
import type { RecordedRequest } from '../ledger.js';
import type { ScriptedAnswer } from '../options.js';
import { scriptedShape } from '../faults/fault-shapes.js';

/** Records every request, and holds the scripted answers to the next ones. */
export interface Recorder {
  readonly requests: readonly RecordedRequest[];
  /** The result adds the body to the record. */
  readonly record: (origin: RecordedRequest['origin'], request: IncomingMessage) => (body: string) => void;
  readonly answerOnce: (method: string, path: string, answer: ScriptedAnswer) => void;
  /** Removes and returns the scripted answer to this request, if there is one. */
  readonly take: (method: string, path: string) => ScriptedAnswer | undefined;
}

/** An empty recorder; it records accepted keys only and redacts others. */
export const createRecorder = (isAccepted: (key: string) => boolean): Recorder => {
  const requests: RecordedRequest[] = [];
  const scripted: { readonly target: string; readonly answer: ScriptedAnswer }[] = [];
  return {
    requests,
    record: (origin, request) => {
      const { clean, ...kept } = redactUnknownKeys(request, isAccepted);
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

/** Replaces a key in a record that the emulator does not accept. */
const unknownKey = 'unknown-key';

/**
 * Redacts keys that the emulator does not accept from the record of a request, since one may be a real key sent to the
 * wrong server. Accepted keys are recorded as sent, so that a test can check where they went.
 */
export const redactUnknownKeys = (
  { method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  isAccepted: (key: string) => boolean,
): Omit<RecordedRequest, 'origin' | 'body'> & { readonly clean: (body: string) => string } => {
  const sent = [headers['x-api-key'], headers.authorization?.replace(/^Bearer\s+/iu, ''), tokenOf(url)];
  const unknown = sent
    .flat()
    .filter((key) => key !== undefined && key !== '' && !isAccepted(key)) as string[];
  if (unknown.length === 0) return { method, url, headers, clean: (body) => body };
  const redact = (text: string): string =>
    unknown
      .flatMap((key) => [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)])
      .reduce((cleaned, key) => cleaned.replaceAll(key, unknownKey), text);
  const kept = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? redact(value) : value?.map(redact),
  ]);
  return {
    method,
    url: redact(url),
    headers: Object.fromEntries(kept) as RecordedRequest['headers'],
    clean: redact,
  };
};

const tokenOf = (url: string): string | undefined =>
  new URLSearchParams(url.split('?')[1] ?? '').get('token') ?? undefined;
