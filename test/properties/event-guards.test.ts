import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventCodecs, type EventType } from '../../src/protocol/events/event-data.js';
import { isEventData } from '../../src/protocol/generated/is-event-data.js';
import { eventFixtures } from '../helpers/event-fixtures.js';
import { eventData } from '../helpers/frame-arbitraries.js';

const types = Object.keys(eventData) as EventType[];

const throughJson = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

/** Law: a guard says of every JSON value what the codec that it was made from says. */
describe.each(types)('guard = codec: %s', (type) => {
  const codec = eventCodecs.get(type)!;
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
      { numRuns: 1000 },
    );
    return seen;
  };

  it('of what the service may send', () => {
    expect(answers(good)).toStrictEqual({ yes: 1000, no: 0 });
  });

  it('of good data spoiled in one place, at whatever depth', () => {
    const spoiled = fc.tuple(good, fc.nat(), spoiler).map(([data, at, spoil]) => spoiledAt(data, at, spoil));
    const { yes, no } = answers(spoiled);
    expect(yes).toBeGreaterThan(50);
    expect(no).toBeGreaterThan(50);
  });

  it('of any JSON', () => {
    const { yes, no } = answers(
      fc.oneof(fc.jsonValue(), fc.object().map(throughJson), fc.array(good)).map(throughJson),
    );
    expect(yes + no).toBe(1000);
    expect(no).toBeGreaterThan(50);
  });
});

/** In place of a value: another one, or nothing at all. */
type Spoiler = { readonly value: unknown } | undefined;

const spoiler: fc.Arbitrary<Spoiler> = fc.option(
  fc.record({
    value: fc.oneof(
      fc.constantFrom<unknown>(null, true, false, 0, -0.5, 1e308, '', '1', {}, [], [null], { 0: null }),
      fc.jsonValue({ maxDepth: 2 }).map(throughJson),
    ),
  }),
  { nil: undefined, freq: 6 },
);

/** The same tree, but for the `at`-th of its values (the whole is one of them). */
const spoiledAt = (tree: unknown, at: number, spoil: Spoiler): unknown => {
  let left = at % countOf(tree);
  const visit = (value: unknown): unknown => {
    if (left-- === 0) return spoil === undefined ? undefined : spoil.value;
    if (Array.isArray(value)) return value.map(visit).filter((item) => item !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, member]) => [key, visit(member)] as const)
        .filter(([, member]) => member !== undefined),
    );
  };
  return visit(tree);
};

const countOf = (tree: unknown): number =>
  typeof tree === 'object' && tree !== null
    ? Object.values(tree).reduce<number>((sum, value) => sum + countOf(value), 1)
    : 1;
