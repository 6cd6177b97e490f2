import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventEmitter } from 'node:events';
import { runTokens, type TokenRunnerOptions } from '../../../src/server/queue/engine/run-tokens.js';
import { realClock } from '../../../src/core/platform/clock.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class WaitingError extends Error {}

type Process = (job: object, token?: string, lost?: AbortSignal) => Promise<unknown>;

/** BullMQ in memory: the test gives its workers slot tokens, and reads what they were asked for. */
const world = (
  more: Partial<TokenRunnerOptions> & { readonly broken?: number; readonly leaves?: boolean } = {},
) => {
  const { broken = 0, leaves = false, ...given } = more;
  const workers: PlayedWorker[] = [];
  const reconnects: unknown[] = [];
  class PlayedWorker extends EventEmitter {
    readonly calls: string[] = [];
    closing: Promise<void> | undefined;
    private readonly isBroken = workers.length < broken;
    readonly queue: string;
    readonly process: Process;
    readonly options: Readonly<Record<string, unknown>>;
    constructor(queue: string, process: Process, options: Readonly<Record<string, unknown>>) {
      super();
      this.queue = queue;
      this.process = process;
      this.options = options;
      workers.push(this);
    }
    waitUntilReady(): Promise<void> {
      return this.isBroken ? Promise.reject(new Error('cut')) : Promise.resolve();
    }
    run(): Promise<void> {
      return this.note('run').then(() => Promise.reject(new Error('ended')));
    }
    pause(isNow: boolean): Promise<void> {
      return this.note(`pause ${isNow}`);
    }
    resume(): Promise<void> {
      return this.note('resume');
    }
    close(isForced?: boolean): Promise<void> {
      this.closing ??= this.note(`close ${isForced ?? ''}`.trim());
      return this.closing;
    }
    toKey(rest: string): string {
      return `key:${rest}`;
    }
    cancelJob(id: string): void {
      this.calls.push(`cancel ${id}`);
    }
    private note(call: string): Promise<void> {
      this.calls.push(call);
      return Promise.resolve();
    }
  }
  // A client of ioredis leaves replicas by itself; one of node-redis does not.
  const redis = leaves
    ? { defineCommand: () => undefined, options: {}, disconnect: (again: boolean) => reconnects.push(again) }
    : { on: () => undefined, options: {}, destroy: () => undefined, connect: () => Promise.resolve() };
  const runs: unknown[][] = [];
  const runner = runTokens({
    packages: {
      bullmq: { Worker: PlayedWorker, WaitingError, createNodeRedisClient: () => new EventEmitter() },
    } as never,
    redis: redis as never,
    ...{ name: 'q', queue: 'turns', concurrency: 3, lockMs: 4_000, isAway: () => false },
    clock: realClock,
    run: (...token) => Promise.resolve<'done'>((runs.push(token), 'done')),
    ...given,
  });
  return { runner, workers, runs, reconnects };
};
const soon = () => vi.advanceTimersByTimeAsync(0);
const token = (id?: string) => {
  const moves: unknown[] = [];
  return { id, moves, moveToWait: (of?: string) => Promise.resolve(void moves.push(of)) };
};

describe('the worker of BullMQ that runs slot tokens', () => {
  it('looks eight times in the time of a lock, and tries for ever', async () => {
    const { workers } = world();
    await soon();
    expect(workers.map(({ queue, calls }) => [queue, calls])).toEqual([['turns', ['run']]]);
    expect(workers[0]?.options).toMatchObject({
      ...{
        prefix: '{promptwire:q}:engine',
        concurrency: 3,
        lockDuration: 4_000,
        stalledInterval: 500,
        drainDelay: 0.5,
      },
      ...{ maxStalledCount: 2 ** 31 - 1, runRetryDelay: 500, autorun: false },
    });
    expect(world({ lockMs: 400 }).workers[0]?.options).toMatchObject({
      stalledInterval: 100,
      drainDelay: 0.1,
    });
  });

  it('runs a slot token by the id of its job, with its lock and the signal of its loss', async () => {
    const { workers, runs } = world();
    const { signal } = new AbortController();
    await workers[0]?.process(token('id-a%3Ab'), 'of w', signal);
    expect(runs).toEqual([['a:b', signal, { key: 'key:id-a%3Ab:lock', token: 'of w' }]]);
    await workers[0]?.process(token());
    expect(runs[1]).toMatchObject(['', { aborted: false }, { key: 'key::lock', token: '' }]);
  });

  it('gives a slot token back that is to be requeued, and throws on what its run threw', async () => {
    const { workers } = world({
      run: (id) => (id === 'bad' ? Promise.reject(new Error('a bug')) : Promise.resolve('requeue')),
    });
    const given = token('x');
    await expect(workers[0]?.process(given, 'of w')).rejects.toBeInstanceOf(WaitingError);
    expect(given.moves).toEqual(['of w']);
    const bad = token('bad');
    await expect(workers[0]?.process(bad, 'of w')).rejects.toThrow('a bug');
    expect(bad.moves).toEqual([]);
  });

  it('ends the runs whose locks could not be renewed', () => {
    const { workers } = world();
    workers[0]?.emit('lockRenewalFailed', ['a', 'b']);
    expect(workers[0]?.calls).toEqual(['cancel a', 'cancel b']);
  });

  it('is opened anew half a second after its first question failed, unless the runner closes', async () => {
    const { workers } = world({ broken: 1 });
    await vi.advanceTimersByTimeAsync(499);
    expect(workers.map(({ calls }) => calls)).toEqual([['close true']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(workers.map(({ calls }) => calls)).toEqual([['close true'], ['run']]);
    const left = world({ broken: 1 });
    left.runner.leave();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(left.workers).toHaveLength(1);
  });

  it('is left for a new one where its server has become a replica, once a second', async () => {
    const { workers } = world();
    await soon();
    workers[0]?.emit('error', new Error('ECONNRESET'));
    expect(workers).toHaveLength(1);
    workers[0]?.emit('error', new Error('READONLY You can’t write against a replica'));
    await soon();
    expect(workers.map(({ calls }) => calls)).toEqual([['run', 'close'], ['run']]);
    workers[0]?.emit('error', new Error('READONLY it is the old one'));
    workers[1]?.emit('error', new Error('READONLY so soon'));
    expect(workers).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_000);
    workers[1]?.emit('error', new Error('READONLY later'));
    expect(workers).toHaveLength(3);
  });

  it('does not begin once it was left before its first answer', async () => {
    const { workers } = world();
    workers[0]?.emit('error', new Error('READONLY You can’t write against a replica'));
    await soon();
    expect(workers.map(({ calls }) => calls)).toEqual([['close'], ['run']]);
  });

  it('stays where its client leaves replicas by itself', async () => {
    const { workers, reconnects } = world({ leaves: true });
    await soon();
    workers[0]?.emit('error', new Error('READONLY You can’t write against a replica'));
    expect([workers.length, reconnects]).toEqual([1, []]);
  });
});

describe('a runner of slot tokens', () => {
  it('rests and wakes once its worker works, also where it rested before', async () => {
    const { runner, workers } = world();
    runner.rest();
    expect(workers[0]?.calls).toEqual([]);
    await soon();
    expect(workers[0]?.calls).toEqual(['run', 'pause true']);
    runner.wake();
    runner.rest();
    expect(workers[0]?.calls.slice(2)).toEqual(['resume', 'pause true']);
    const awake = world();
    awake.runner.rest();
    awake.runner.wake();
    await soon();
    expect(awake.workers[0]?.calls).toEqual(['run']);
  });

  it('closes once none runs, at once where the server is away, and wakes no more', async () => {
    let end = (): void => undefined;
    const state = { isAway: true };
    const { runner, workers } = world({
      run: () => new Promise((resolve) => (end = () => resolve('done'))),
      isAway: () => state.isAway,
    });
    await soon();
    const running = workers[0]?.process(token('x'));
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));
    await soon();
    expect([workers[0]?.calls, isClosed]).toEqual([['run', 'pause true'], false]);
    runner.wake();
    end();
    await running;
    await closing;
    expect(workers[0]?.calls).toEqual(['run', 'pause true', 'close true']);
    const there = world();
    await there.runner.close();
    expect(there.workers[0]?.calls).toEqual(['pause true', 'close false']);
  });

  it('leaves at once, whatever runs', async () => {
    const { runner, workers } = world({ run: () => new Promise(() => undefined) });
    await soon();
    void workers[0]?.process(token('x'));
    runner.leave();
    runner.wake();
    runner.rest();
    expect(workers[0]?.calls).toEqual(['run', 'close true']);
  });
});
