import { describe, expect, it } from 'vitest';
import { namedSlots, slots } from '../../src/core/interop/slots.js';
import { settle } from '../helpers/settle.js';

/** Work that the test ends one after the other, and what has begun of it. */
const played = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
};

describe('slots', () => {
  it('give each piece of work its own result, and begin the next one in the order in which they were asked', async () => {
    const { begun, work, end } = played();
    const { run } = slots(2);
    const all = ['a', 'b', 'c', 'd'].map((name) => run(work(name)));
    expect(begun).toEqual(['a', 'b']);
    end('b');
    expect(await all[1]).toBe('b');
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const name of ['c', 'a']) end(name);
    await settle();
    end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('named slots', () => {
  it('are those of the name as long as work of it is under way or waits, whatever has ended of it', async () => {
    const { begun, work, end } = played();
    let made = 0;
    const { run } = namedSlots(1, (limit) => {
      made += 1;
      return slots(limit);
    });
    const first = run('x', work('a'));
    const second = run('x', work('b'));
    end('a');
    expect(await first).toBe('a');
    const third = run('x', work('c'));
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await second;
    expect(begun).toEqual(['a', 'b', 'c']);
    const fourth = run('x', work('d'));
    end('c');
    await third;
    expect(made).toBe(1);
    end('d');
    await fourth;
    // Nothing is kept of a name without work.
    void run('x', work('e'));
    void run('y', work('f'));
    void run('x', work('g'));
    expect([begun.slice(4), made]).toEqual([['e', 'f'], 3]);
  });
});
