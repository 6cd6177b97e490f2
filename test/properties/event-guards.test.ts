import { anyJson, spoiled, throughJson } from '../helpers/spoiled.js';
import { describe, expect, it } from 'vitest';
import { eventCodecs } from '../../src/core/protocol/event-codecs.js';
import type { EventType } from '../../src/core/protocol/event-data.js';
import { eventData } from '../helpers/frame-arbitraries.js';
import { eventFixtures } from '../helpers/event-fixtures.js';
import fc from 'fast-check';
import { isEventData } from '../../src/core/protocol/generated/is-event-data.js';
import { often, runs } from '../helpers/runs.js';

const types = Object.keys(eventData) as EventType[];

/** Law: a guard says of every JSON value what the codec that it was made from says. */
describe.each(types)('guard = codec: %s', (type) => {
  const codec = eventCodecs[type];
  const fixtures = eventFixtures.filter((fixture) => fixture.type === type).map(({ data }) => data);
  const good = fc.oneof(eventData[type], fc.constantFrom(...fixtures)).map(throughJson);

  /** Both answers, once they are found equal, and how often each was given. */
  const answers = (values: fc.Arbitrary<unknown>): { readonly yes: number; readonly no: number } => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(values, (value) => {
        const answer = codec.is(value);
        expect(isEventData(type, value)).toBe(answer);
        seen[answer ? 'yes' : 'no'] += 1;
      }),
      { numRuns: runs(1000) },
    );
    return seen;
  };

  it('of what the service may send', () => {
    expect(answers(good)).toStrictEqual({ yes: runs(1000), no: 0 });
  });

  it('of good data spoiled in one place, at any depth', () => {
    const { yes, no } = answers(spoiled(good));
    expect(yes).toBeGreaterThan(often(50));
    expect(no).toBeGreaterThan(often(50));
  });

  it('of any JSON', () => {
    const { yes, no } = answers(fc.oneof(anyJson, fc.array(good)).map(throughJson));
    expect(yes + no).toBe(runs(1000));
    expect(no).toBeGreaterThan(often(50));
  });
});
