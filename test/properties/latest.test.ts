import fc from 'fast-check';
import { concatMap, from, map, timer, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { latest } from '../../src/core/operators/latest.js';
import { conflationKey } from '../../src/core/protocol/frames/conflation-key.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { arbitraryFrame } from '../helpers/arbitrary-frame.js';
import { record } from '../helpers/record.js';
import { runs } from '../helpers/runs.js';

const periodMs = 10;

/** Frames, each with the time since the one before. */
const streams = fc.array(fc.record({ frame: arbitraryFrame, afterMs: fc.nat(8) }), { maxLength: 50 });

interface Passed {
  readonly frame: Frame;
  readonly at: number;
}

const play = (stream: readonly { readonly frame: Frame; readonly afterMs: number }[]): readonly Passed[] => {
  const scheduler = new VirtualTimeScheduler();
  const told = record(
    from(stream).pipe(
      concatMap(({ frame, afterMs }) => timer(afterMs, scheduler).pipe(map(() => frame))),
      latest({ periodMs, scheduler }),
      map((frame) => ({ frame, at: scheduler.now() })),
    ),
  );
  scheduler.flush();
  expect(told.end).toBe('complete');
  return told.values;
};

const grouped = <A>(
  values: readonly A[],
  frameOf: (value: A) => Frame,
): ReadonlyMap<string | undefined, readonly A[]> => {
  const groups = new Map<string | undefined, A[]>();
  for (const value of values) {
    const key = conflationKey(frameOf(value));
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
};

const itself = (frame: Frame): Frame => frame;

describe('latest', () => {
  it('passes every frame of a job’s life, in order, and the frames of each node in order up to the last', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const sent = grouped(
          stream.map(({ frame }) => frame),
          itself,
        );
        const result = grouped(
          play(stream).map(({ frame }) => frame),
          itself,
        );
        expect(result.get(undefined)).toEqual(sent.get(undefined));
        expect([...result.keys()].sort()).toEqual([...sent.keys()].sort());
        for (const [key, frames] of sent) {
          const places = result.get(key)!.map((frame) => frames.indexOf(frame));
          expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
          expect(places.at(-1)).toBe(frames.length - 1);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it('never lets a frame of a job pass one of its events', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const sent = stream.map(({ frame }) => frame);
        const result = play(stream).map(({ frame }) => frame);
        result.forEach((event, i) => {
          if (conflationKey(event) !== undefined || event.promptId === undefined) return;
          const place = sent.indexOf(event);
          const mine = (frame: Frame) => frame.promptId === undefined || frame.promptId === event.promptId;
          const before = result.slice(0, i).filter((f) => mine(f) && conflationKey(f) !== undefined);
          const after = result.slice(i + 1).filter((f) => mine(f) && conflationKey(f) !== undefined);
          expect(before.every((frame) => sent.indexOf(frame) < place)).toBe(true);
          expect(after.every((frame) => sent.indexOf(frame) > place)).toBe(true);
        });
      }),
      { numRuns: runs(1000) },
    );
  });

  it('passes at most one frame of a node in a period, events and the end apart', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const quiet = stream.filter(({ frame }) => conflationKey(frame) !== undefined);
        const result = play(quiet);
        const end = quiet.reduce((time, { afterMs }) => time + afterMs, 0);
        for (const passed of grouped(result, ({ frame }) => frame).values()) {
          passed.slice(1).forEach(({ at }, i) => {
            if (at < end) expect(at - passed[i]!.at).toBeGreaterThanOrEqual(periodMs);
          });
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
