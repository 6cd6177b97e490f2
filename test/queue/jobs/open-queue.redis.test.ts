import { checkQueueOptions, openQueue } from '../../../src/server/queue/jobs/open-queue.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { loggedEntries } from '../../helpers/logged-entries.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import type { QueueOptions } from '../../../src/server/queue/options.js';

describe('the options of a queue', () => {
  const refused = (option: string, message: string): unknown =>
    expect.objectContaining({ _tag: 'InvalidConfig', option, message });
  const check = (options: object) => () =>
    checkQueueOptions({ connection: 'redis://127.0.0.1', ...options } as QueueOptions);

  it('take a name that may be part of a key', () => {
    for (const name of ['a', 'A-b_c.9', 'a'.repeat(100)]) expect(check({ name })).not.toThrow();
    const form = refused('name', 'name takes up to 100 letters, digits, dots, hyphens and underscores.');
    for (const name of ['', 'a b', 'a:b', '{a}', 'a\n', 'ä', 'a'.repeat(101), undefined, 7])
      expect(check({ name })).toThrow(form);
  });

  it('take a logger, and nothing else in its place', () => {
    expect(check({ name: 'a', logger: console })).not.toThrow();
    const form = refused(
      'logger',
      'logger takes an object with debug, info, warn and error, such as console.',
    );
    expect(check({ name: 'a', logger: { warn: console.warn } })).toThrow(form);
  });

  it('take the name of a tier or a whole number above 0', () => {
    for (const tier of [undefined, 'free', 'unlimited', 1, 1_000])
      expect(check({ name: 'a', tier })).not.toThrow();
    const form = refused('tier', 'tier takes the name of a tier, or a whole number above 0.');
    for (const tier of [0, -1, 1.5, NaN, Infinity, 'none', '3'])
      expect(check({ name: 'a', tier })).toThrow(form);
  });
});

describeRedis((server) => {
  let names = 0;
  const open = async (options: Partial<QueueOptions> = {}, left?: AbortSignal) => {
    const connection = `redis://127.0.0.1:${server().port}`;
    const all = { connection, name: `open-${(names += 1)}`, onWarning: () => undefined, ...options };
    const queue = await openQueue(all, { left });
    onTestFinished(() => queue.close());
    return { ...queue, name: all.name };
  };
  /** Counts the connections of the server. */
  const counter = () => {
    const redis = server().connect();
    return async () =>
      String(await redis.client('LIST'))
        .trim()
        .split('\n').length;
  };

  it('opens by an address or by options, and leaves its slots alone without a tier', async () => {
    const first = await open({ tier: 'creator' });
    expect(await first.queueStore.stats()).toMatchObject({ slots: 3 });
    expect(await server().connect().hget(`{promptwire:${first.name}}:engine:turns:meta`, 'concurrency')).toBe(
      '3',
    );
    const connection = { host: '127.0.0.1', port: server().port };
    const second = await open({ connection, name: first.name });
    expect(await second.queueStore.stats()).toMatchObject({ slots: 3 });
    await second.store.add({ id: 'x', workflow: {} });
    expect((await first.store.get('x'))?.phase).toBe('waiting');
    await open({ name: first.name, tier: 2 });
    expect(await first.queueStore.stats()).toMatchObject({ slots: 2 });
  });

  it('tells each setting of the server that makes a promise weaker, to the program and its subscribers', async () => {
    const told: string[] = [];
    const published: object[] = [];
    onTestFinished(listenTo('promptwire:queue:warning', (message) => void published.push(message)));
    const { name } = await open({ onWarning: (message) => void told.push(message) });
    expect(told).toEqual([expect.stringContaining('appendfsync')]);
    expect(published).toEqual(told.map((message) => ({ queue: name, message })));
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await open({ onWarning: undefined });
    expect(warn.mock.calls).toEqual([[told[0], 'PromptwireQueue']]);
    const { logger, entries } = loggedEntries();
    await open({ onWarning: undefined, logger });
    expect(entries).toMatchObject([{ level: 'warn', message: told[0] }]);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it('closes its connections', async () => {
    const clients = counter();
    const before = await clients();
    const queue = await open();
    await queue.slotTokens.due();
    expect(await clients()).toBe(before + 1);
    await queue.close();
    await expect.poll(clients).toBe(before);
  });

  it('says where no server answers in the time that it is given', async () => {
    const connection = { host: '127.0.0.1', port: 1, password: 'secret' };
    const silent = (address: string, reason: string) => ({
      ...{ _tag: 'Network', code: 'ETIMEDOUT', sent: false },
      ...{
        message: expect.stringMatching(`^Redis can't be used at ${address}: .*${reason}`) as string,
        hint: 'Check that the server runs, and its port.',
      },
    });
    await expect(open({ connection, connectWithinMs: 300 })).rejects.toMatchObject(
      silent('127.0.0.1:1', 'ECONNREFUSED'),
    );
    const socket = { path: '/nowhere/redis.sock' };
    await expect(open({ connection: socket, connectWithinMs: 300 })).rejects.toMatchObject(
      silent(socket.path, 'ENOENT'),
    );
  });

  it('says why a server refuses it, without the password', async () => {
    const clients = counter();
    const before = await clients();
    const connection = { host: '127.0.0.1', port: server().port, username: 'stranger', password: 'secret' };
    const error: unknown = await open({ connection }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'connection' },
      message: expect.stringMatching(
        new RegExp(`^Redis refuses the connection to 127\\.0\\.0\\.1:${server().port}: .*WRONGPASS`, 'u'),
      ) as string,
    });
    expect(JSON.stringify(error)).not.toContain('secret');
    await expect.poll(clients).toBe(before);
  });

  it('waits for a server that comes later, and stops waiting when it is left', async () => {
    await server().kill();
    const left = new AbortController();
    const leaving = open({}, left.signal);
    const isRefused = expect(leaving).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'connection' });
    left.abort();
    await isRefused;
    await expect(open({}, AbortSignal.abort())).rejects.toMatchObject({ _tag: 'InvalidConfig' });
    const waiting = open();
    await server().start();
    expect(await (await waiting).queueStore.stats()).toMatchObject({ waiting: 0 });
  });
});
