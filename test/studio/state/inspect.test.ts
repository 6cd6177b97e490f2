import { describe, expect, it } from 'vitest';
import { firstValueFrom, toArray } from 'rxjs';
import {
  type JobEvent,
  jobEvents,
  readRecording,
  upTo,
  writeRecording,
} from '../../../src/studio/state/job-events.js';
import { marblesOf } from '../../../src/studio/state/marbles.js';

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
  it('holds the events as they came, and is replayed up to a share of its time', () => {
    expect(readRecording(writeRecording(events))).toEqual(events);
    expect(upTo(events, 0.5)).toHaveLength(3);
    expect(upTo(events, 1)).toEqual(events);
  });

  it.each(['', '{"a":1}', 'no json'])('is none: %j', (text) => {
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
