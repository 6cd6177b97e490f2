import type { Clock } from '../../src/core/platform/platform.js';
import { describe, expect, it } from 'vitest';
import { piecesReader } from '../../src/core/http/pieces-reader.js';
import { realClock } from '../../src/core/platform/clock.js';

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

/** Parses each member of an object apart. */
const readerOf = (clock: Clock, most = Infinity, why: string[] = []) =>
  piecesReader({
    ...{ clock, most, redactValue: (value) => value },
    pieceOf: (path) => (path.length === 1 ? 'part' : undefined),
    tooLarge: () => why.push('too large'),
    tooMany: () => why.push('too many'),
  });

/** Reads the text whole, or in pieces of so many characters. */
const parse = async (text: string, clock = realClock, length = text.length): Promise<unknown> => {
  const reader = readerOf(clock);
  for (let at = 0; at + length < text.length; at += length)
    if (!(await reader.take(text.slice(at, at + length)))) return undefined;
  return reader.end(text.slice(-(text.length % length || length)));
};

describe('piecesReader', () => {
  it('E17 gives what one reading gives, NaN and odd names included', async () => {
    const text = `{"__proto__":{"a":NaN},${JSON.stringify(classes, undefined, 2).slice(1)}`;
    const parsed = await parse(text, realClock);
    expect(parsed).toEqual(JSON.parse(text.replace('NaN', 'null')));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed as object)).toHaveLength(301);
  });

  it('E17 lets others have their turn whenever it took its time', async () => {
    const [slow, quick] = [slowClock(20), slowClock(0)];
    await parse(JSON.stringify(classes), slow.clock);
    await parse(JSON.stringify(classes), quick.clock);
    expect([slow.turns(), quick.turns()]).toEqual([300, 0]);
  });

  it.each([
    ['cut', '{"a":{"b":1}'],
    ['of broken members', '{"a":{"b":}}'],
    ['of a broken name', '{"\\x":1}'],
    ['one member of too many values', `{"a":[${'{},'.repeat(250_000)}0]}`],
    ['cut after a comma', '{"a":{"b":1},}'],
    ['followed by more', '{"a":{"b":1}},"b":2}'],
  ])('E17 refuses what is %s', async (_, text) => {
    expect(await parse(text)).toBeUndefined();
    expect(await parse(text, realClock, Math.ceil(text.length / 2))).toBeUndefined();
  });

  it('E17 gives the same from pieces of any length', async () => {
    const text = `${JSON.stringify({ ...classes, '"}': ['\\"', { ',': '{' }], n: 12.5, é: '€', b: true }, undefined, 1)} `;
    for (const length of [30, 100, 1000])
      expect(await parse(text, realClock, length)).toEqual(JSON.parse(text));
  });

  it('E17 refuses an object of too many values in all, and says so', async () => {
    const member = `":[${'0,'.repeat(200_000)}0]`;
    const many = Array.from({ length: 20 }, (_, at) => `"${at}${member}`);
    expect(await parse(`{${many.slice(1).join(',')}}`)).toBeDefined();
    const why: string[] = [];
    expect(await readerOf(realClock, Infinity, why).end(`{${many.join(',')}}`)).toBeUndefined();
    expect(why).toEqual(['too many']);
  });

  it('N1 takes a member of any size up to the bound, and says that one is above it', async () => {
    const text = `{"a":"${'x'.repeat(9 * 1024 * 1024)}"}`;
    expect(await parse(text, realClock, 1024 * 1024)).toEqual(JSON.parse(text));
    const why: string[] = [];
    expect(await readerOf(realClock, 1024 * 1024, why).take(text)).toBe(false);
    expect(why).toEqual(['too large']);
  });
});
