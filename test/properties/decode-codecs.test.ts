import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { eventCodecs } from '../../src/core/protocol/event-codecs.js';
import type { EventType } from '../../src/core/protocol/event-data.js';
import { eventData } from '../helpers/frame-arbitraries.js';
import fc from 'fast-check';
import { often, runs } from '../helpers/runs.js';

const types = Object.keys(eventData) as EventType[];

describe.each(types)('the codec of %s', (type) => {
  const codec = eventCodecs[type];

  it('accepts all that the service may send, and hands the same object on', () => {
    fc.assert(
      fc.property(eventData[type], (data) => {
        expect(codec.is(data)).toBe(true);
        const decoded = codec.decode(data);
        expect(E.isRight(decoded) && decoded.right === data).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('accepts by guard what it accepts by decoding, and nothing else', () => {
    const seen = { accepted: 0, refused: 0 };
    // One member of good data replaced by any JSON value, or any JSON value for the whole.
    const perhapsWrong = fc.oneof(
      fc.jsonValue(),
      fc.tuple(eventData[type], fc.nat(), fc.jsonValue()).map(([data, at, value]) => {
        const keys = Object.keys(data);
        return { ...data, [keys[at % keys.length] ?? 'brand_new']: value };
      }),
    );
    fc.assert(
      fc.property(perhapsWrong, (data) => {
        const isGood = codec.is(data);
        seen[isGood ? 'accepted' : 'refused'] += 1;
        expect(E.isRight(codec.decode(data))).toBe(isGood);
      }),
      { numRuns: runs(1000) },
    );
    expect(seen.accepted).toBeGreaterThan(often(20));
    expect(seen.refused).toBeGreaterThan(often(100));
  });
});
