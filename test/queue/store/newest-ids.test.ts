import { describe, expect, it } from 'vitest';
import { newestBelow, newestIds } from '../../../src/server/queue/store/newest-ids.js';

describe('members of a sorted set', () => {
  const world = (reply: readonly unknown[], score: string | null = '7') => {
    const calls: string[] = [];
    const send = (...call: readonly (string | number | Buffer)[]) => {
      calls.push(call.join(' '));
      return Promise.resolve(call[0] === 'ZSCORE' ? score : reply);
    };
    return { send, calls };
  };

  it.each([
    ['one after the other', ['b', 2, 'a', 1]],
    [
      'in pairs',
      [
        ['b', 2],
        ['a', 1],
      ],
    ],
  ])('come page by page, %s, as the connection has it', async (_, reply) => {
    const { send, calls } = world(reply);
    expect(await newestBelow({ send }, 'k', 2)).toEqual({ ids: ['b', 'a'], next: '1' });
    expect(await newestBelow({ send }, 'k', 3, '5')).toStrictEqual({ ids: ['b', 'a'] });
    expect(calls).toEqual([
      'ZREVRANGEBYSCORE k +inf -inf WITHSCORES LIMIT 0 2',
      'ZREVRANGEBYSCORE k (5 -inf WITHSCORES LIMIT 0 3',
    ]);
  });

  it('come after one of them, where that is there', async () => {
    const { send, calls } = world(['a', 1]);
    expect(await newestIds({ send }, 'k', 2, undefined)).toEqual(['a']);
    expect(await newestIds({ send }, 'k', 2, 'b')).toEqual(['a']);
    expect(calls.slice(1)).toEqual(['ZSCORE k b', 'ZREVRANGEBYSCORE k (7 -inf WITHSCORES LIMIT 0 2']);
    expect(await newestIds({ send: world([], null).send }, 'k', 2, 'gone')).toBeUndefined();
  });
});
