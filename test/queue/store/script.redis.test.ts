import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { runScript, script } from '../../../src/server/queue/store/script.js';

describeRedis((server) => {
  const counted = script(
    "redis.call('INCR', KEYS[1] .. 'count') if ARGV[1] == 'bad' then return redis.error_reply('BAD luck') end return ARGV",
  );

  it('loads a script that the server does not know, and runs it once each time', async () => {
    const redis = server().connect();
    for (const args of [['a', 'b'], ['c']])
      expect(await runScript(redis, counted, 'p:', ...args)).toEqual(args);
    await redis.script('FLUSH');
    expect(await runScript(redis, counted, 'p:', 'd')).toEqual(['d']);
    expect(await redis.get('p:count')).toBe('3');
  });

  it('fails as the script does, and runs it no second time', async () => {
    const redis = server().connect();
    await runScript(redis, counted, 'q:', 'good');
    await expect(runScript(redis, counted, 'q:', 'bad')).rejects.toThrow('BAD luck');
    expect(await redis.get('q:count')).toBe('2');
  });
});
