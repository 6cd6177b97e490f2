import type { Clock } from '../../src/platform/platform.js';
import { describe, expect, it } from 'vitest';
import { membersReader } from '../../src/http/members-reader.js';
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

/** Reads the text whole, or in pieces of so many characters. */
const parse = async (text: string, clock = realClock, length = text.length): Promise<unknown> => {
  const reader = membersReader(clock);
  let rest = '';
  for (let at = 0; at + length < text.length; at += length) {
    const left = await reader.take(rest + text.slice(at, at + length));
    if (left === undefined) return undefined;
    rest = left;
  }
  return reader.end(rest + text.slice(-(text.length % length || length)));
};

describe('membersReader', () => {
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
    ['no object', '[1,2]'],
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

  it('E17 holds one member and what comes with it, however much came before', async () => {
    const reader = membersReader(realClock);
    let rest = '{"first":{}';
    for (let at = 0; at < 100; at += 1) {
      rest = (await reader.take(`${rest},"${at}":"${'x'.repeat(1000)}"`)) ?? '';
      expect(rest.length).toBeLessThan(2100);
    }
    expect(Object.keys((await reader.end(`${rest}}`)) as object)).toHaveLength(101);
  });

  it('E17 refuses an object of too many values in all, and a member without end', async () => {
    const member = `":[${'0,'.repeat(200_000)}0]`;
    const many = Array.from({ length: 20 }, (_, at) => `"${at}${member}`);
    expect(await parse(`{${many.slice(1).join(',')}}`)).toBeDefined();
    expect(await parse(`{${many.join(',')}}`)).toBeUndefined();
    expect(await membersReader(realClock).take(`{"a":"${'x'.repeat(9 * 1024 * 1024)}`)).toBeUndefined();
  });
});
