import { describe, expect, it } from 'vitest';
import { firstValueFrom, toArray } from 'rxjs';
import { initialJobState } from '../../../src/node.js';
import { type JobEvent, jobEvents } from '../../../src/page/studio/state/job-events.js';
import { momentOf, readRecording, upTo, writeRecording } from '../../../src/page/studio/state/recording.js';
import { marblesOf } from '../../../src/page/studio/state/marbles.js';

const event = (name: string, at: number): JobEvent => ({ name, at, data: { at } });
const events = [event('submitted', 0), event('progress', 1), event('progress', 2), event('status', 1000)];

describe('jobEvents', () => {
  it('reads lines that come in pieces, and leaves signs of life out', async () => {
    const text = '{"id":"1","event":"submitted","data":{"at":5}}\n\n{"id":"2","event":"preview","data":{}}\n';
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let at = 0; at < text.length; at += 7)
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 7)));
        controller.close();
      },
    });
    const all = await firstValueFrom(
      jobEvents(
        () => Promise.resolve(new Response(body)),
        () => 9,
      ).pipe(toArray()),
    );
    expect(all.at(-1)?.map(({ name, at }) => [name, at])).toEqual([
      ['submitted', 5],
      ['preview', 9],
    ]);
  });

  it('ends with the refusal of the gateway', async () => {
    const refused = jobEvents(
      () => Promise.resolve(new Response(null, { status: 404 })),
      () => 0,
    );
    await expect(firstValueFrom(refused)).rejects.toThrow('404');
  });
});

describe('a recording', () => {
  const job = initialJobState({ promptId: 'job' });
  const node = {
    nodeId: '5',
    displayNodeId: '5',
    value: 1,
    max: 2,
    fraction: 0.5,
    phase: 'running' as const,
  };
  const progress = { nodes: { 5: node }, progress: 0.5 };
  const picture = 'data:image/png;base64,AAAA';
  const told: readonly JobEvent[] = [
    { name: 'submitted', at: 0, data: { job: 'job', type: 'submitted', at: 0, state: job } },
    { name: 'progress', at: 400, data: { job: 'job', type: 'progress', at: 400, progress } },
    { name: 'picture', at: 500, data: { nodeId: '5', picture } },
    { name: 'picture', at: 600, data: { nodeId: '5', picture: 'https://example.com/a.png' } },
    {
      ...{ name: 'status', at: 1000 },
      data: {
        ...{ job: 'job', type: 'status', at: 1000 },
        status: { promptId: 'job', phase: 'completed', outputsComplete: true, nodeErrors: {}, warnings: [] },
        progress: { nodes: { 5: { ...node, phase: 'finished' } }, progress: 1 },
      },
    },
  ];

  it('holds the events as they came and what they are of, and gives the events up to a share of its time', () => {
    const workflow = { 5: { class_type: 'KSampler', inputs: {} } };
    expect(readRecording(writeRecording({ events: told, workflow }))).toEqual({ events: told, workflow });
    const large = { 1: { class_type: 'KSampler', inputs: { seed: 2n ** 64n - 1n } } };
    const exact = readRecording(writeRecording({ events: told, workflow: large }));
    expect(exact?.workflow).toEqual(large);
    expect(readRecording(told.map((event) => JSON.stringify(event)).join('\n'))?.events).toEqual(told);
    expect(upTo(told, 0.5)).toHaveLength(3);
    expect(upTo(told, 1)).toEqual(told);
  });

  it('shows at each moment the state, the times and the picture of then, and no picture from elsewhere', () => {
    const at = (share: number) => momentOf({ events: told }, share);
    expect(at(0).state?.phase).toBe(job.phase);
    expect(at(0.4)).toMatchObject({ picture: undefined, state: { progress: 0.5 } });
    expect(at(0.7).picture).toBe(picture);
    expect(at(1)).toMatchObject({
      picture,
      state: { phase: 'completed' },
      timeline: { nodes: [{ nodeId: '5', start: 400, end: 1000 }] },
    });
  });

  it.each(['', '{"a":1}', 'no json', '{"name":"status","at":1,"data":{}}'])('is none: %j', (text) => {
    expect(readRecording(text)).toBeUndefined();
  });
});

describe('marblesOf', () => {
  it('draws a line a name, and counts what stands too close', () => {
    expect(marblesOf(events)).toEqual([
      { name: 'submitted', marbles: [{ at: 0, count: 1 }] },
      { name: 'progress', marbles: [{ at: 0.001, count: 2 }] },
      { name: 'status', marbles: [{ at: 1, count: 1 }] },
    ]);
  });
});
