import type { Clock } from '../../src/platform/platform.js';
import { describe, expect, it } from 'vitest';
import { parseInPieces } from '../../src/http/read-text.js';
import { realClock } from '../../src/platform/clock.js';

/** A clock by which each look takes so long. */
const slowClock = (ms: number) => {
  let [now, turns] = [0, 0];
  const clock: Clock = {
    ...realClock,
    now: () => (now += ms),
    after: (_, work) => {
      turns += 1;
      return realClock.after(0, work);
    },
  };
  return { clock, turns: () => turns };
};

const classes = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [
    `Node ${at}`,
    { input: { required: { x: ['INT', { max: at }] } } },
  ]),
);

describe('parseInPieces', () => {
  it('E17 gives what one reading gives, NaN and odd names included', async () => {
    const text = `{"__proto__":{"a":NaN},${JSON.stringify(classes, undefined, 2).slice(1)}`;
    const parsed = await parseInPieces(text, realClock);
    expect(parsed).toEqual(JSON.parse(text.replace('NaN', 'null')));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed as object)).toHaveLength(301);
  });

  it('E17 lets others have their turn whenever it took its time', async () => {
    const [slow, quick] = [slowClock(20), slowClock(0)];
    await parseInPieces(JSON.stringify(classes), slow.clock);
    await parseInPieces(JSON.stringify(classes), quick.clock);
    expect([slow.turns(), quick.turns()]).toEqual([300, 0]);
  });

  it.each([
    ['no object', '[1,2]'],
    ['cut', '{"a":{"b":1}'],
    ['of broken members', '{"a":{"b":}}'],
    ['of a broken name', '{"\\x":1}'],
    ['one member of too many values', `{"a":[${'{},'.repeat(250_000)}0]}`],
  ])('E17 refuses what is %s', async (_, text) => {
    expect(await parseInPieces(text, realClock)).toBeUndefined();
  });
});
