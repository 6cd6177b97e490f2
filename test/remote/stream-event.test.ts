import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { life } from '../gateway/support.js';
import { progressOf, statusOf } from '../../src/core/events/state-members.js';
import { readLines } from '../../src/page/remote/read-lines.js';
import { readState } from '../../src/page/remote/read-answer.js';
import { readStreamEvent } from '../../src/page/remote/stream-event.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const state = life('j')[3]!;
const end = life('j').at(-1)!;
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const good: Readonly<Record<string, readonly [name: string, data: object]>> = {
  snapshot: ['snapshot', { jobs: [{ id: 'j', state }] }],
  submitted: ['submitted', { job: 'j', type: 'submitted', at: 1, state }],
  status: ['status', { job: 'j', type: 'status', at: 1, status: statusOf(state) }],
  end: ['status', { job: 'j', type: 'status', at: 1, status: statusOf(end), progress: progressOf(end) }],
  output: ['output', { job: 'j', type: 'output', at: 1, nodeId: '2', outputs: {}, added: [] }],
  progress: ['progress', { job: 'j', type: 'progress', at: 1, progress: progressOf(state) }],
  preview: ['preview', { job: 'j', nodeId: '2', id: 'v1' }],
  deleted: ['deleted', { job: 'j' }],
};

const read = (name: string, data: unknown, id: unknown = 'e1') =>
  readStreamEvent(wire({ id, event: name, data }));

describe('an event of the stream', () => {
  it('is what the gateway wrote', () => {
    const { snapshot, preview, deleted, ...ofJobs } = good;
    expect(read(...deleted!)).toEqual({ id: 'e1', type: 'deleted', job: 'j' });
    expect(read(...snapshot!)).toEqual({ id: 'e1', type: 'snapshot', jobs: [state] });
    expect(read(...preview!)).toEqual({
      ...{ id: 'e1', type: 'preview', preview: { job: 'j', nodeId: '2', id: 'v1' } },
    });
    for (const [name, data] of Object.values(ofJobs)) {
      const { job, ...event } = data as { readonly job: string };
      expect(read(name, data)).toEqual({ id: 'e1', type: 'job', job, event });
    }
    expect(read('revoked', {})).toEqual({ id: 'e1', type: 'revoked' });
    for (const name of ['gap', 'reconnect', 'cancelRequested', 'of tomorrow'])
      expect(read(name, {})).toEqual({ id: 'e1', type: 'other' });
  });

  it('is none where a member is missing or of another kind', () => {
    for (const value of [7, null, [], {}, { id: 'e1' }, { id: 'e1', event: 'gap' }])
      expect(readStreamEvent(value)).toBeUndefined();
    expect(read('gap', {}, 7)).toBeUndefined();
    expect(readStreamEvent({ id: 'e1', event: 7, data: {} })).toBeUndefined();
    expect(read('snapshot', {})).toBeUndefined();
    expect(read('snapshot', { jobs: [7] })).toBeUndefined();
    expect(read('snapshot', { jobs: [{ state: {} }] })).toBeUndefined();
    const needed: Readonly<Record<string, readonly string[]>> = {
      ...{ submitted: ['job', 'state'], status: ['job', 'status'], progress: ['job', 'progress'] },
      ...{ output: ['job', 'nodeId', 'outputs'], preview: ['job', 'nodeId', 'id'], deleted: ['job'] },
    };
    for (const [kind, names] of Object.entries(needed)) {
      const [event, data] = good[kind]!;
      for (const name of names)
        for (const wrong of [undefined, 7, null])
          expect([kind, name, read(event, { ...data, [name]: wrong })]).toEqual([kind, name, undefined]);
    }
    const status = good['end']![1] as { readonly status: object; readonly progress: object };
    for (const name of ['phase', 'nodeErrors'])
      expect(read('status', { ...status, status: { ...status.status, [name]: 7 } })).toBeUndefined();
    for (const name of ['nodes', 'progress']) {
      const progress = { ...status.progress, [name]: [] };
      expect(read('status', { ...status, progress })).toBeUndefined();
      expect(read('progress', { ...good['progress']![1], progress })).toBeUndefined();
    }
  });
});

describe('a state', () => {
  it('needs a phase, a progress, nodes, outputs, errors of nodes and warnings', () => {
    expect(readState(wire(state))).toEqual(state);
    for (const value of [7, null, []]) expect(readState(value)).toBeUndefined();
    for (const name of ['phase', 'progress', 'nodes', 'outputs', 'nodeErrors', 'warnings'])
      expect([name, readState({ ...state, [name]: undefined })]).toEqual([name, undefined]);
    expect(readState({ ...state, warnings: {} })).toBeUndefined();
  });
});

describe('the lines of a body', () => {
  const bodyOf = (chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  const linesOf = async (body: ReadableStream<Uint8Array> | null, clock = virtualClock()) => {
    const lines: string[] = [];
    await readLines(body, { clock, silenceMs: 1_000, line: (text) => lines.push(text) });
    expect(clock.pending()).toBe(0);
    return lines;
  };

  it('are those that end, wherever the body is cut, without the empty ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('', 'a', '{"b":"ä🎈"}', 'cc'), { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (texts, size) => {
          const bytes = new TextEncoder().encode(`${texts.map((text) => `${text}\n`).join('')}torn`);
          const chunks = [];
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
          expect(await linesOf(bodyOf(chunks))).toEqual(texts.filter((text) => text !== ''));
        },
      ),
    );
    expect(await linesOf(null)).toEqual([]);
  });

  it('end with a body that is silent for too long, and is let go then', async () => {
    const clock = virtualClock();
    let isLeft = false;
    let give: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (give = (text) => controller.enqueue(new TextEncoder().encode(text))),
      cancel: () => void (isLeft = true),
    });
    const lines: string[] = [];
    let isOver = false;
    const reading = readLines(body, { clock, silenceMs: 1_000, line: (text) => lines.push(text) });
    void reading.then(() => (isOver = true));
    for (const text of ['a\n', '\n', 'b\n']) {
      await clock.advance(999);
      give(text);
    }
    await clock.advance(999);
    expect([lines, isOver, isLeft]).toEqual([['a', 'b'], false, false]);
    await clock.advance(1);
    expect([isOver, isLeft]).toEqual([true, true]);
  });
});
