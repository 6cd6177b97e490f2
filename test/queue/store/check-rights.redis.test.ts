import { checkRights } from '../../../src/server/queue/store/check-rights.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';

describeRedis((server) => {
  /** The connection of a user that has all rights but these. */
  const userWith = async (...changes: readonly string[]) => {
    const redis = server().connect();
    await redis.call('ACL', 'SETUSER', 'guest', 'reset', 'on', 'nopass', '~*', '&*', '+@all', ...changes);
    await redis.call('AUTH', 'guest', 'any');
    return redis;
  };

  it('finds none missing for a user that may do all on the keys of the queue', async () => {
    expect(await checkRights(server().connect(), 'q')).toBeUndefined();
    const bounded = await userWith('resetkeys', '~{promptwire:q}:*', 'resetchannels', '&{promptwire:q}:*');
    expect(await checkRights(bounded, 'q')).toBeUndefined();
  });

  it('names the commands that a user may not call, the keys, the server, and what to do', async () => {
    const redis = await userWith('-zadd', '-publish');
    const lacking = await checkRights(redis, 'q');
    expect(lacking).toMatchObject({ _tag: 'InvalidConfig', option: 'connection' });
    expect(lacking?.message).toBe(
      `The user of Redis at 127.0.0.1:${server().port} lacks rights on {promptwire:q}:*: zadd, publish.`,
    );
    expect(lacking?.hint).toContain('docs/guide/many-machines.md');
  });

  it('has the server’s words where it refuses the question, as for the keys of another queue', async () => {
    const redis = await userWith('resetkeys', '~{promptwire:other}:*');
    expect((await checkRights(redis, 'q'))?.message).toMatch(/lacks rights on \{promptwire:q\}:\*: NOPERM/u);
  });

  it('rejects where the server does not answer', async () => {
    const redis = server().connect();
    redis.disconnect();
    await expect(checkRights(redis, 'q')).rejects.toThrow('Connection is closed');
  });
});
