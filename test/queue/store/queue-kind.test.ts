import { describe, expect, it } from 'vitest';
import { notOverServers, queueKind } from '../../../src/server/queue/store/queue-kind.js';

describe('what a queue is over', () => {
  /** A server that has these keys of the queue. */
  const asked = async (over: 'account' | 'servers' | undefined, ...keys: readonly string[]) => {
    const calls: string[] = [];
    const send = (...call: readonly (string | number | Buffer)[]) => {
      calls.push(call.join(' '));
      const named = call.slice(1).filter((key) => keys.includes(String(key).replace('{promptwire:q}:', '')));
      return Promise.resolve(call[0] === 'EXISTS' ? named.length : named.length > 0 ? 'servers' : null);
    };
    const kind = await queueKind({ send }, 'q', over).catch((error: unknown) => error);
    return { kind, writes: calls.filter((call) => call.startsWith('SET')) };
  };

  it.each([
    [undefined, [], 'account'],
    [undefined, ['over'], 'servers'],
    ['account', ['jobs'], 'account'],
    ['servers', ['over', 'jobs'], 'servers'],
  ] as const)('is what its first part said: %s, %j', async (over, keys, kind) => {
    expect(await asked(over, ...keys)).toEqual({ kind, writes: [] });
  });

  it('is servers where the first part says so, before there is a job or a number of slots', async () => {
    const set = 'SET {promptwire:q}:over servers';
    expect(await asked('servers')).toEqual({ kind: 'servers', writes: [set] });
    for (const key of ['jobs', 'slots']) {
      const { kind, writes } = await asked('servers', key);
      expect(kind).toMatchObject({ option: 'over', message: 'The queue q is one of an account.' });
      expect(kind).toMatchObject({ hint: expect.stringContaining('Use another name') as string });
      expect(writes).toEqual([]);
    }
  });

  it('is not another kind for a later part', async () => {
    const { kind } = await asked('account', 'over');
    expect(kind).toMatchObject({ option: 'over', message: 'The queue q is one of servers.' });
    expect(kind).toMatchObject({ hint: expect.stringContaining('give its workers a pool') as string });
    expect(notOverServers('tier', 'Leave it out.')).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'tier',
      hint: 'Leave it out.',
    });
  });
});
