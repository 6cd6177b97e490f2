import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { filledText, object, text } from '../shape.js';
import { type Doc, v2 } from './v2-api.js';
import { finalStatuses, statuses } from './v2-documents.js';
import { NotAllowed } from '../wire.js';
import { runOf } from './v2-run.js';
import type { Target } from '../target.js';

/** Section 12.7, by the stream of a job that has ended. */
export const v2EventCases: readonly ConformanceCase[] = [
  {
    id: 'V.7.1',
    title: 'a stream has frames with a name and one JSON object',
    run: async (target) => {
      const { type, frames } = await streamOf(target);
      assert.match(type, /^text\/event-stream/u);
      assert.ok(frames.length > 0, 'it has a frame');
      for (const { event } of frames) filledText(event, 'the name');
    },
  },
  {
    id: 'V.7.2',
    title: 'the first frame is status',
    run: async (target) => {
      assert.equal((await streamOf(target)).frames[0]?.event, 'status');
    },
  },
  {
    id: 'V.7.3',
    title: 'the stream ends after a final status',
    run: async (target) => {
      const last = (await streamOf(target)).frames.findLast(({ event }) => event === 'status');
      assert.ok(finalStatuses.includes(String(last?.data['status'])), String(last?.data['status']));
    },
  },
  {
    id: 'V.7.4',
    title: 'the stream of a final job is its status, and the end',
    run: async (target) => {
      assert.deepEqual(
        (await streamOf(target)).frames.map(({ event }) => event),
        ['status'],
      );
    },
  },
  {
    id: 'V.7.5',
    title: 'the data of status has its members',
    run: async (target) => {
      for (const { event, data } of (await streamOf(target)).frames)
        if (event === 'status') assert.ok(statuses.includes(text(data['status'], 'status')));
    },
  },
  {
    id: 'V.7.8',
    title: 'frames have no id',
    run: async (target) => {
      assert.ok(!/^id:/mu.test((await streamOf(target)).text), 'there is no line with an id');
    },
  },
];

interface Stream {
  readonly type: string;
  readonly text: string;
  readonly frames: readonly { readonly event: string; readonly data: Doc }[];
}

/** The whole stream of the job; a server without streams says so (V.7.7). */
const streamOf = async (target: Target): Promise<Stream> => {
  const answer = await v2(target, 'GET', `/jobs/${(await runOf(target)).id}/events`);
  if (answer.status === 501) throw new NotAllowed('the server has no streams');
  assert.equal(answer.status, 200);
  const whole = answer.bytes.toString().replaceAll(/\r\n?/gu, '\n');
  const frames = whole
    .split('\n\n')
    .map((frame) => frame.split('\n').filter((line) => line !== '' && !line.startsWith(':')))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const of = (name: string): string =>
        lines
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /u, ''))
          .join('\n');
      return { event: of('event'), data: object(JSON.parse(of('data')) as unknown, 'the data of a frame') };
    });
  return { type: answer.headers.get('content-type') ?? '', text: whole, frames };
};
