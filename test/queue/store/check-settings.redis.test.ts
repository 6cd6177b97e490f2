import { checkSettings } from '../../../src/server/queue/store/check-settings.js';
import { expect, it } from 'vitest';
import { redisCommands } from '../../../src/server/queue/redis/redis-client.js';
import type { RedisArgument } from '../../../src/server/queue/redis/redis-commands.js';
import { describeRedis } from '../describe-redis.js';

describeRedis(
  (server) => {
    it('finds nothing weak in the settings that a queue needs', async () => {
      expect(await checkSettings(redisCommands(server().connect()))).toEqual([]);
    });

    it('names each setting that is weaker, and what happens then', async () => {
      const redis = server().connect();
      await redis.config('SET', 'appendfsync', 'everysec');
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      const weak = await checkSettings(redisCommands(redis));
      expect(weak.map(({ setting }) => setting)).toEqual(['appendfsync', 'maxmemory-policy']);
      expect(weak[0]?.message).toContain('appendfsync everysec, and a queue needs always');
      await redis.config('SET', 'appendfsync', 'always');
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
    });

    it('names a server that is older than those a queue is tested with', async () => {
      const redis = server().connect();
      const told = {
        send: (name: string, ...args: readonly RedisArgument[]) =>
          name === 'INFO'
            ? Promise.resolve('# Server\r\nredis_version:6.2.14\r\n')
            : redis.call(name, ...args),
      };
      const weak = await checkSettings(told);
      expect(weak.map(({ setting }) => setting)).toEqual(['redis_version']);
      expect(weak[0]?.message).toContain('6.2.14');
    });

    it('says so where the server does not tell its settings', async () => {
      const redis = server().connect();
      await redis.call('ACL', 'SETUSER', 'guest', 'on', 'nopass', '~*', '+@all', '-config');
      await redis.call('AUTH', 'guest', 'any');
      expect(await checkSettings(redisCommands(redis))).toMatchObject([{ setting: 'CONFIG' }]);
    });
  },
  { isDurable: true },
);
