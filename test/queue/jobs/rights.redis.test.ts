import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { neededCommands } from '../../../src/server/queue/store/check-rights.js';
import { picture, slow } from '../../helpers/emulated.js';
import { readFileSync } from 'node:fs';
import { redisPorts } from '../../../src/server/queue/jobs/redis-ports.js';
import { join } from 'node:path';
import { reached, setUp } from '../set-up.js';
import type { RedisServer } from '../../helpers/redis-server.js';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/many-machines.md'), 'utf8');

/** The rights of the guide for a user and a queue of this name. */
const rightsFor = (name: string): readonly string[] => {
  const [, line = ''] = /^ACL SETUSER pictures (on [^`]*)/mu.exec(guide) ?? [];
  return line.replaceAll('pictures', name).trim().split(/\s+/u);
};

/** Makes the user that the guide describes, with these rights changed, and gives its address. */
const userOf = async (server: RedisServer, name: string, ...changes: readonly string[]): Promise<string> => {
  const admin = server.connect();
  await admin.call('ACL', 'SETUSER', name, ...rightsFor(name), ...changes);
  await admin.call('ACL', 'LOG', 'RESET');
  await admin.call('CONFIG', 'RESETSTAT');
  return `redis://${name}:PASSWORD@127.0.0.1:${server.port}`;
};

/** The commands that the server has run since its users were made. */
const usedCommands = async (server: RedisServer): Promise<readonly string[]> => {
  const stats = await server.connect().info('commandstats');
  return [...stats.matchAll(/^cmdstat_([a-z]+)/gmu)].map(([, name = '']) => name);
};

/** The commands that the server has refused a user for lack of rights. */
const refusedCommands = async (server: RedisServer): Promise<readonly unknown[]> => {
  const log = (await server.connect().call('ACL', 'LOG')) as readonly (readonly unknown[])[];
  return log.map((entry) => entry[entry.indexOf('object') + 1]);
};

/** Those that need no key and no channel: the guide names them one by one. */
const keyless = [
  'acl',
  'auth',
  'client',
  'config',
  'eval',
  'evalsha',
  'hello',
  'info',
  'ping',
  'quit',
  'select',
  'time',
  'unsubscribe',
];

describeRedis((server) => {
  it('Q7: works for a user with the least rights, which the guide lists', async () => {
    const { common, newClient, work } = await setUp(server());
    const connection = await userOf(server(), common.name);
    const account = { ...common, connection, onWarning: () => undefined };
    const queue = createJobQueue(account);
    onTestFinished(() => queue.close());
    const waiting = await queue.add(picture(), { tenant: 'a', key: 'k' });
    expect(await queue.cancel(waiting)).toBe('waiting');
    const later = await queue.add(picture(), { delayMs: 3_600_000 });
    await work({ ...account, client: newClient() });
    const id = await queue.add(slow(300), { tenant: 'b', priority: 2 });
    await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
    await queue.pause();
    await queue.resume();
    expect(await lastValueFrom(queue.follow(id))).toMatchObject({ phase: 'completed' });
    expect(await queue.cancel(later)).toBe('delayed');
    const listed = [];
    for await (const job of queue.list()) listed.push(job.id);
    expect(listed).toHaveLength(3);
    await queue.setTier('pro');
    await queue.clear();
    await queue.drain();
    const { index, log, close } = await redisPorts(account);
    onTestFinished(close);
    expect(await index.list('none', { limit: 1 })).toEqual([]);
    expect(log).toBeDefined();
    expect(await refusedCommands(server())).toEqual([]);
    const used = await usedCommands(server());
    expect(used).toContain('evalsha');
    expect(used.filter((name) => ![...neededCommands, ...keyless].some((known) => known === name))).toEqual(
      [],
    );
  });

  it.each([
    { changes: ['-zadd', '-publish'], named: ['zadd', 'publish'] },
    { changes: ['-@write'], named: ['hset', 'xadd', 'del'] },
    { changes: ['resetkeys', '~other:*'], named: ['NOPERM'] },
    { changes: ['-eval', '-evalsha'], named: ['NOPERM'] },
    { changes: ['resetchannels'], named: ['publish', 'subscribe'] },
  ])('Q7: names the rights that a user lacks ($changes)', async ({ changes, named }) => {
    const { common } = await setUp(server());
    const connection = await userOf(server(), common.name, ...changes);
    const queue = createJobQueue({ ...common, connection });
    onTestFinished(() => queue.close());
    const error: unknown = await queue.add(picture()).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ _tag: 'InvalidConfig', option: 'connection' });
    for (const name of named) expect(String(error)).toMatch(new RegExp(String.raw`\b${name}\b`, 'u'));
    expect(String(error)).not.toContain('PASSWORD');
  });
});
