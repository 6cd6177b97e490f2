import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { namesRedis, readQueue, withQueue } from '../../../src/cli/input/queue-flags.js';

const read = (flags: { readonly redis?: string | undefined }, env: Readonly<Record<string, string>> = {}) => {
  const secrets: string[] = [];
  const events: unknown[] = [];
  const queue = readQueue(
    {
      io: { env },
      addSecret: (secret) => void secrets.push(secret),
      report: (event) => void events.push(event),
    },
    { name: 'own', ...flags },
  );
  return { queue, secrets, events };
};
const [here, there] = ['redis://127.0.0.1:6379', 'rediss://redis.example'];

describe('the flags of a queue', () => {
  it('name the queue of promptwire by default', () => {
    const optionsOf = (...argv: readonly string[]): unknown =>
      withQueue(new Command())
        .parse([...argv], { from: 'user' })
        .opts();
    expect(optionsOf()).toEqual({ name: 'promptwire' });
    expect(optionsOf('--redis', here, '--name', 'own')).toEqual({ redis: here, name: 'own' });
  });

  it.each([
    [{ redis: here }, {}, true],
    [{}, { PROMPTWIRE_REDIS_URL: here }, true],
    [{}, {}, false],
    [{}, { PROMPTWIRE_REDIS_URL: ' ' }, false],
    [{ redis: '' }, { PROMPTWIRE_REDIS_URL: here }, false],
  ])('name a server of Redis, or do not: %o with %o', (flags, env, isNamed) => {
    expect(namesRedis({ io: { env } }, flags)).toBe(isNamed);
  });
});

describe('readQueue', () => {
  it('takes the address of the flag before that of the environment, and waits ten seconds for it', () => {
    const known = { name: 'own', connectWithinMs: 10_000, maxWorkflowBytes: undefined };
    expect(read({ redis: there }, { PROMPTWIRE_REDIS_URL: here }).queue).toMatchObject({
      connection: there,
      ...known,
    });
    expect(read({}, { PROMPTWIRE_REDIS_URL: ` ${here}\n` }).queue).toMatchObject({
      connection: here,
      ...known,
    });
  });

  it('keeps the password of the address out of all output, as it is and as it is escaped', () => {
    expect(read({ redis: 'redis://me:a%40b@127.0.0.1' }).secrets).toEqual(['a@b']);
    expect(read({ redis: here }).secrets).toEqual([]);
    expect(() => read({ redis: 'redis://me:100%@127.0.0.1' })).toThrow('write it as %25');
  });

  it.each([{}, { redis: ' ' }])('needs an address: %o', (flags) => {
    expect(() => read(flags)).toThrow('no Redis server is named: set PROMPTWIRE_REDIS_URL');
  });

  it.each(['http://127.0.0.1:6379', '127.0.0.1:6379', 'redis.example'])('takes no other one: %s', (redis) => {
    expect(() => read({ redis })).toThrow('begins with redis:// or rediss://');
  });

  it('reports warnings with the names that the command has for options', () => {
    const { queue, events } = read({ redis: here });
    queue.onWarning('maxWorkflowBytes is small.');
    expect(events).toEqual([
      {
        kind: 'warning',
        message: 'maxWorkflowBytes is small. Of the command: maxWorkflowBytes is --max-workflow-bytes.',
      },
    ]);
  });
});
