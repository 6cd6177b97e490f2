import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { QueueScan } from '../../src/core/endpoints/queue-scan.js';

const scanned = (text: string, promptId: string, cuts: readonly number[] = []): QueueScan => {
  const scan = new QueueScan(promptId);
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    scan.push(text.slice(from, cut));
    from = Math.max(from, cut);
  }
  return scan;
};
const id = fc.oneof(fc.uuid(), fc.constantFrom('a', 'é"\\', '__proto__', 'queue_running'), fc.string());
const job = fc.tuple(fc.integer(), id, fc.jsonValue(), fc.jsonValue(), fc.array(fc.string()));
const queue = fc.record({ queue_running: fc.array(job), queue_pending: fc.array(job) });

describe('QueueScan', () => {
  it('F32: law: finds exactly the jobs that the parsed listing has, however it is cut', () => {
    fc.assert(
      fc.property(
        queue,
        id,
        fc.array(fc.nat(2_000)),
        fc.constantFrom(0, 1),
        (listing, other, cuts, indent) => {
          const text = JSON.stringify(listing, null, indent);
          const { queue_running: running, queue_pending: pending } = listing;
          for (const wanted of [other, ...[...running, ...pending].map(([, listed]) => listed)]) {
            const isIn = (jobs: typeof running): boolean => jobs.some(([, listed]) => listed === wanted);
            const scan = scanned(
              text,
              wanted,
              [...cuts].sort((one, another) => one - another),
            );
            const expected = isIn(running) ? 'in_progress' : isIn(pending) ? 'pending' : undefined;
            expect(scan.found).toBe(expected);
            if (expected === undefined) expect(scan.isWhole).toBe(true);
          }
        },
      ),
    );
  });

  it.each([
    ['a list in place of the id', '[[0, ["a"]]]', undefined],
    ['an object in place of the id', '[[0, {"x": "a"}]]', undefined],
    ['a text behind the id', '[[0, {}, "a"]]', undefined],
    ['an id behind an object with commas', '[[{"x": [1, 2]}, "a"]]', 'in_progress'],
    ['an id behind an escaped quote', '[["\\"", "a"]]', 'in_progress'],
  ])('F32: reads the second member of each list alone: %s', (_, running, found) => {
    expect(scanned(`{"queue_running": ${running}}`, 'a').found).toBe(found);
    expect(scanned(`{"queue_other": ${running}}`, 'a').found).toBeUndefined();
  });

  it.each([
    '{"queue_other":[]}',
    '{"queue_running":{}}',
    '{"queue_running":{"x":[]}}',
    '["queue_running",[]]',
    '{"queue_running":[]}"',
  ])('F32: takes %s for no listing either', (text) => {
    expect(scanned(text, 'a').isWhole).toBe(false);
  });

  it.each(['', 'null', '[]', '<html>', '{}', '{"error":"x"}', '{"queue_running":[', '{"queue_running":"a"}'])(
    'F32: takes %s for no listing',
    (text) => {
      expect(scanned(text, 'a')).toMatchObject({ found: undefined, isWhole: false });
    },
  );

  it('reads a listing with numbers that are no JSON', () => {
    expect(scanned('{"queue_running": [], "queue_pending": [[NaN, "a", {}, {}, []]]}', 'a').found).toBe(
      'pending',
    );
  });
});
