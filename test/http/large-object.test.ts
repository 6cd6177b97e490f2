import { describe, expect, it } from 'vitest';
import { largeObject } from '../../src/core/http/large-object.js';
import { realClock } from '../../src/core/platform/clock.js';

/** An object whose members are parsed apart. */
const begin = (most = Infinity) =>
  largeObject({
    ...{ clock: realClock, most, redactValue: (value) => value },
    pieces: (path) => (path.length === 1 ? 'part' : undefined),
  });
/** What is known of it. */
const known = (large: ReturnType<typeof begin>) => [
  ...[large.hasBegun(), large.isTooLarge(), large.holdsTooMany()],
];

describe('a large object', () => {
  it('is read as it comes, and has nothing wrong with it', async () => {
    const large = begin();
    expect(known(large)).toEqual([false, false, false]);
    expect([await large.take('{"a":{"b":1},'), known(large)]).toEqual([true, [true, false, false]]);
    expect(await large.take('"c":')).toBe(true);
    expect(await large.end('{"d":2}}')).toEqual({ a: { b: 1 }, c: { d: 2 } });
    expect(known(large)).toEqual([true, false, false]);
  });

  it('may come at once', async () => {
    const large = begin();
    expect([await large.end('{"a":[1]}'), known(large)]).toEqual([...[{ a: [1] }, [true, false, false]]]);
  });

  it('is broken from the first part on that can’t be read, and is read no further', async () => {
    const large = begin();
    expect(await large.take('{"a":{"b":},')).toBe(false);
    expect([await large.end('"c":1}'), known(large)]).toEqual([undefined, [true, false, false]]);
  });

  it('says that more of it would have to be kept than may be', async () => {
    const large = begin(10);
    expect(await large.take(`{"a":"${'x'.repeat(20)}"`)).toBe(false);
    expect(known(large)).toEqual([true, true, false]);
  });

  it('says that it holds too many values', async () => {
    const large = begin();
    expect(await large.end(`{"a":[${'0,'.repeat(250_001)}0]}`)).toBeUndefined();
    expect(known(large)).toEqual([true, false, true]);
  });
});
