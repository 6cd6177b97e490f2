import { checkSettings } from '../../../src/server/queue/store/check-settings.js';
import { expect, it } from 'vitest';

type Told = Readonly<Record<string, string>> | 'nothing';

/** What a server of this version and these settings is told of. */
const weak = async (version: string | undefined, settings: Told) => {
  const found = await checkSettings({
    send: (command, what, name = '') => {
      if (command === 'INFO')
        return version === undefined
          ? Promise.reject(new Error('NOPERM'))
          : Promise.resolve(`# Server\r\nfork_of_redis_version:1.0\r\nredis_version:${version}\r\nos:Linux`);
      if (command !== 'CONFIG' || what !== 'GET')
        throw new Error(`${command} ${String(what)} is no question.`);
      return settings === 'nothing'
        ? Promise.reject(new Error('NOPERM'))
        : Promise.resolve(String(name) in settings ? [name, settings[String(name)]] : []);
    },
  });
  return found.map(({ setting, message }) => `${setting}: ${message}`);
};
const good = { appendonly: 'yes', appendfsync: 'always', 'maxmemory-policy': 'noeviction' };

it.each(['7.0.0', '10.2.1', '7'])(
  'finds nothing weak in a server of the version %s with its settings',
  async (version) => {
    expect(await weak(version, good)).toEqual([]);
  },
);

it('says nothing of a version that it is not told', async () => {
  expect(await weak(undefined, good)).toEqual([]);
});

it('names a version, and each setting, and what happens with it', async () => {
  expect(await weak('6.2.14', { ...good, appendonly: 'no' })).toEqual([
    'redis_version: The Redis server has the version 6.2.14, and a queue is tested with 7 and later.',
    'appendonly: The Redis server has appendonly no, and a queue needs yes: a restart of the server forgets jobs, and what became of their submissions.',
  ]);
});

it('calls a setting unset that the server does not know', async () => {
  const [, known] = await weak('7.0.0', { appendonly: 'yes', 'maxmemory-policy': 'volatile-lru' });
  expect(known).toContain('maxmemory-policy volatile-lru, and a queue needs noeviction');
  expect((await weak('7.0.0', { appendonly: 'yes' }))[0]).toContain(
    'appendfsync unset, and a queue needs always',
  );
});

it('lists what it needs where the server does not tell its settings', async () => {
  expect(await weak('7.0.0', 'nothing')).toEqual([
    'CONFIG: The Redis server does not tell its settings, so they are not checked. A queue needs: appendonly yes, appendfsync always, maxmemory-policy noeviction.',
  ]);
});
