import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { frameBytes } from '../../src/client/jobs/kept-frames.js';
import { type FrameLimits, frameMemory } from '../../src/client/jobs/frame-memory.js';
import { record, type Recording } from '../helpers/record.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const text = (name: string, nodeId = name): Frame => ({ _tag: 'Text', nodeId, text: name });
const picture = (nodeId: string, byte: number, size = 1): Frame => ({
  _tag: 'Preview',
  mediaType: 'image/jpeg',
  image: new Uint8Array(size).fill(byte),
  nodeId,
});
const opened = (limits?: FrameLimits) => {
  const clock = virtualClock();
  const memory = frameMemory(clock, limits);
  return { clock, memory, kept: memory.open() };
};
const kibibyte = 1024;
const bytesOf = (frames: readonly Frame[]): number =>
  frames.reduce((sum, frame) => sum + frameBytes(frame), 0);

describe('frameMemory', () => {
  it('I-15: gives each subscriber what came before, then what comes', () => {
    const { kept } = opened();
    kept.next(text('a'));
    const first = record(kept.frames);
    kept.next(picture('1', 1));
    kept.next(picture('1', 2));
    const second = record(kept.frames);
    kept.next(text('b'));
    expect(second.values).toEqual([text('a'), picture('1', 1), picture('1', 2), text('b')]);
    expect(second.values).toEqual(first.values);
  });

  it('I-15: gives every subscriber each frame once, in the order in which they came, also those that its own work brings', () => {
    const someFrames = fc.nat(4);
    fc.assert(
      fc.property(fc.nat(6), fc.array(someFrames), someFrames, (before, caused, after) => {
        const { kept } = opened();
        const sent: Frame[] = [];
        const send = (count: number): void => {
          for (let n = 0; n < count; n += 1) {
            const frame = text(String(sent.length));
            sent.push(frame);
            kept.next(frame);
          }
        };
        send(before);
        let told = 0;
        const first = record(kept.frames, () => send(caused[told++] ?? 0));
        send(after);
        const second = record(kept.frames);
        expect(first.values).toEqual(sent);
        expect(second.values).toEqual(sent);
      }),
    );
  });

  it('gives a subscriber that comes while another one is given what was kept the same', () => {
    const { kept } = opened();
    kept.next(text('a'));
    kept.next(text('b'));
    let later: Recording<Frame> | undefined;
    const first = record(kept.frames, () => {
      if (later !== undefined) return;
      later = record(kept.frames);
      kept.next(text('c'));
    });
    expect(first.values).toEqual([text('a'), text('b'), text('c')]);
    expect(later?.values).toEqual(first.values);
  });

  it('I-14: keeps no more bytes of a job than it may, and its events rather than old pictures', () => {
    const { kept } = opened({ jobBytes: 64 * kibibyte });
    kept.next(text('first'));
    for (let n = 0; n < 1_000; n += 1) kept.next(picture(n % 2 === 0 ? 'even' : 'odd', n % 256, 5_000));
    const { values } = record(kept.frames);
    expect(bytesOf(values)).toBe(kept.bytes);
    expect(kept.bytes).toBeLessThanOrEqual(64 * kibibyte);
    expect(kept.bytes).toBeGreaterThan(48 * kibibyte);
    expect(values[0]).toEqual(text('first'));
    expect(values.slice(-2)).toEqual([picture('even', 998 % 256, 5_000), picture('odd', 999 % 256, 5_000)]);
  });

  it('keeps 8 MiB of a job and 32 MiB of a client by default', () => {
    const { kept, memory } = opened();
    const fill = (job: typeof kept): void => {
      for (let n = 0; n < 100; n += 1) job.next(picture(String(n), n, 100_000));
    };
    fill(kept);
    expect(kept.bytes).toBeLessThanOrEqual(8 * kibibyte ** 2);
    expect(kept.bytes).toBeGreaterThan(6.5 * kibibyte ** 2);
    const others = Array.from({ length: 7 }, () => memory.open());
    others.forEach(fill);
    const all = [kept, ...others].reduce((sum, { bytes }) => sum + bytes, 0);
    expect(all).toBeLessThanOrEqual(32 * kibibyte ** 2);
    expect(all).toBeGreaterThan(24 * kibibyte ** 2);
  });

  it('I-14: takes from the jobs that hold more than an equal share', () => {
    const { kept, memory } = opened({ jobBytes: 64 * kibibyte, clientBytes: 96 * kibibyte });
    const small = memory.open();
    small.next(text('small'));
    for (const job of [kept, memory.open()]) {
      for (let n = 0; n < 60; n += 1) job.next(picture(String(n), n, 1_000));
    }
    expect(record(small.frames).values).toEqual([text('small')]);
    expect(kept.bytes).toBeLessThan(32 * kibibyte);
  });

  it('keeps nothing where it may not', () => {
    const { kept } = opened({ jobBytes: 0 });
    const live = record(kept.frames);
    kept.next(text('a'));
    expect(live.values).toEqual([text('a')]);
    expect(record(kept.frames).values).toEqual([]);
  });

  it.each(['complete', 'error'] as const)(
    'I-14: reports the %s to who comes later, and lets go of the frames after 30 s',
    async (end) => {
      const { kept, clock } = opened();
      kept.next(text('a'));
      kept[end](new Error('over'));
      await clock.advance(29_999);
      expect(record(kept.frames)).toMatchObject({ values: [text('a')], end });
      await clock.advance(1);
      expect(record(kept.frames)).toMatchObject({ values: [], end });
      expect(kept.bytes).toBe(0);
      expect(clock.pending()).toBe(0);
    },
  );

  it('gives the place of a job that is over to the others', async () => {
    const { kept, memory, clock } = opened({ clientBytes: 64 * kibibyte });
    for (let n = 0; n < 50; n += 1) kept.next(picture(String(n), n, 1_000));
    kept.complete();
    await clock.advance(30_000);
    const next = memory.open();
    for (let n = 0; n < 50; n += 1) next.next(picture(String(n), n, 1_000));
    expect(record(next.frames).values).toHaveLength(50);
  });

  it('lets go of everything at once, timers as well', () => {
    const { kept, memory, clock } = opened();
    const running = memory.open();
    for (const job of [kept, running]) job.next(text('a'));
    kept.complete();
    memory.clear();
    running.error(new Error('closed'));
    expect([kept.bytes, running.bytes]).toEqual([0, 0]);
    expect(clock.pending()).toBe(0);
  });
});
