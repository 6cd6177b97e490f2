import { describe, expect, it } from 'vitest';
import { alice, life, opened, openReader, playedGateway, type PlayedGateway, submitted } from '../support.js';
import type { Frame } from '../../../src/core/protocol/frames/frame.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { settle } from '../../helpers/settle.js';

const form = { view: 'native', format: 'sse', base: 'http://gateway.test' } as const;

const running = async (options: Parameters<typeof playedGateway>[0] = {}) => {
  const gateway = await playedGateway(options);
  const { record } = await submitted(gateway);
  const [played] = gateway.service.jobs;
  return { ...gateway, id: record.id, played: played!, scope: { owner: 'alice', jobId: record.id } };
};

const preview = (nodeId: string, size: number): Frame => ({
  ...{ _tag: 'Preview', nodeId, mediaType: 'image/png', image: new Uint8Array(size), promptId: 'p1' },
});

describe('a reader that takes nothing', () => {
  it('is cut the second time as well, and never while it reads in time', async () => {
    const { clock, played, scope, jobs } = await running();
    const reader = (await opened({ jobs }, scope, form, { from: 'latest' })).getReader();
    const states = life('p1', 3);
    played.move(states[1]!);
    await clock.advance(29_999);
    await reader.read();
    played.move(states[3]!);
    await clock.advance(29_999);
    await reader.read();
    played.move(states[5]!);
    await clock.advance(29_999);
    await clock.advance(1);
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
    expect(clock.pending()).toBeLessThanOrEqual(2);
  });

  it('is cut in time although there is news all the time', async () => {
    const { clock, played, scope, jobs } = await running();
    const reader = (await opened({ jobs }, scope, form, { from: 'latest' })).getReader();
    for (const state of life('p1', 3).slice(1, 5)) {
      played.move(state);
      await clock.advance(10_000);
    }
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
  });
});

describe('a reader with little room', () => {
  /** A job whose one node has many files at once. */
  const withFiles = (count: number): readonly JobState[] => {
    const [pending, start] = life('p1', 0);
    const images = Array.from({ length: count }, (_, at) => ({
      ...{ filename: `${at}.png`, subfolder: '', type: 'output' },
    }));
    const made = { ...start!, outputs: { 2: { images } } };
    return [pending!, start!, made, { ...made, phase: 'completed', progress: 1, endedAt: 20 }];
  };
  const names = async (gateway: Pick<PlayedGateway, 'jobs'>, jobId: string, cutEach: boolean) => {
    const found: unknown[] = [];
    let after: string | undefined;
    for (;;) {
      const start = after === undefined ? ({ from: 'start' } as const) : { after };
      const reader = await openReader(gateway, { owner: 'alice', jobId }, start, { view: 'v2' });
      let hasRead = false;
      for (;;) {
        const one = await reader.next();
        if (one === undefined) return found;
        if (one.event === 'output') {
          found.push(one.data['name']);
          after = one.id;
          hasRead = true;
        }
        if (one.event === 'status' && one.data['status'] === 'succeeded') return found;
        if (hasRead && cutEach) break;
      }
      await reader.cut();
    }
  };

  it.each([1, 700, 1_500])(
    'gets each of several outputs once, with room for %i bytes',
    async (readerBytes) => {
      const gateway = await running({ readerBytes });
      for (const state of withFiles(5)) gateway.played.move(state);
      await settle();
      const all = ['0.png', '1.png', '2.png', '3.png', '4.png'];
      expect(await names(gateway, gateway.id, false)).toEqual(all);
      expect(await names(gateway, gateway.id, true)).toEqual(all);
    },
  );

  it('gets what the log has in the order of the log, with progress behind it, whatever room it has', async () => {
    for (let readerBytes = 1; readerBytes < 3_000; readerBytes += 150) {
      const gateway = await running({ readerBytes });
      for (const state of life('p1', 2).slice(0, -1)) gateway.played.move(state);
      await settle();
      const reader = await openReader(gateway, gateway.scope, { from: 'start' });
      const events = [];
      for (let count = 0; count < 5; count += 1) events.push((await reader.next())?.event);
      expect([readerBytes, ...events]).toEqual([
        readerBytes,
        ...['submitted', 'status', 'output', 'output', 'progress'],
      ]);
      await reader.cut();
    }
  });

  it.each([1, 700, 1_500])(
    'gets no more at once than there is room for, or one event: %i bytes',
    async (readerBytes) => {
      const gateway = await running({ readerBytes });
      for (const state of withFiles(5)) gateway.played.move(state);
      await settle();
      const stream = await opened(gateway, gateway.scope, { ...form, view: 'v2' }, { from: 'start' });
      const sizes: (readonly [number, number])[] = [];
      for await (const chunk of stream)
        sizes.push([chunk.byteLength, new TextDecoder().decode(chunk).split('\n\n').length - 1]);
      expect(sizes.filter(([bytes, events]) => events > 1 && bytes > readerBytes)).toEqual([]);
      expect(sizes.reduce((sum, [, events]) => sum + events, 0)).toBeGreaterThan(6);
    },
  );

  it('gets pictures one at a time, also those that are larger than the room', async () => {
    const gateway = await running({ readerBytes: 1_000 });
    const { played, jobs, clock, scope } = gateway;
    played.move(life('p1')[1]!);
    await settle();
    const stream = await opened({ jobs }, scope, { ...form, view: 'v2' }, { from: 'latest' });
    const reader = stream.getReader();
    await reader.read();
    for (const nodeId of ['1', '2', '3']) played.frame(preview(nodeId, 900));
    await clock.advance(0);
    const texts = [];
    for (let count = 0; count < 3; count += 1)
      texts.push(new TextDecoder().decode((await reader.read()).value));
    const previews = texts.map((text) => [...text.matchAll(/"node_id":"(\d)"/gu)].map(([, id]) => id));
    expect(previews.flat()).toEqual(['1', '2', '3']);
    expect(Math.max(...previews.map(({ length }) => length))).toBe(1);
    await reader.cancel();
  });
});

describe('a stream in the words of v2', () => {
  it('tells the progress twice a second at most, and the newest of it', async () => {
    const { played, jobs, clock, scope } = await running();
    const [, start] = life('p1', 0);
    played.move(start!);
    await settle();
    const reader = await openReader({ jobs }, scope, { from: 'latest' }, { view: 'v2' });
    await reader.next();
    const seen: (readonly [unknown, number])[] = [];
    const reading = (async () => {
      for (let one = await reader.next(); one !== undefined; one = await reader.next())
        if (one.event === 'progress') seen.push([one.data['value'], clock.now()]);
    })();
    for (let step = 1; step <= 10; step += 1) {
      played.move({ ...start!, progress: step / 100 });
      await clock.advance(100);
    }
    await clock.advance(1_000);
    expect(seen).toEqual([
      [0.01, 0],
      [0.05, 500],
      [0.1, 1_000],
    ]);
    await reader.cut();
    await reading;
  });
});

describe('the slot of a stream', () => {
  it('is given back by a reader that left before it read, or whose request was aborted before', async () => {
    const { jobs, scope, clock } = await running();
    let ends = 0;
    const ended = (): void => void (ends += 1);
    await (await opened({ jobs }, scope, form, {}, { ended })).cancel();
    expect(ends).toBe(1);
    const aborted = AbortSignal.abort();
    const reader = (await opened({ jobs }, scope, form, {}, { ended, aborted })).getReader();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect(ends).toBe(2);
    await clock.advance(60_000);
    expect([ends, (await jobs.get(alice, scope.jobId))?.state.phase]).toEqual([2, 'pending']);
  });
});
