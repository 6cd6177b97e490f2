import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deliverFiles } from '../../../src/server/queue/worker/deliver-files.js';
import { folderSink } from '../../../src/server/queue/worker/folder-sink.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobPhase } from 'promptwire';
import { join } from 'node:path';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { JobSink } from '../../../src/server/queue/options.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import type { QueueStepMessage } from '../../../src/server/queue/telemetry/messages.js';
import { EMPTY, of, throwError } from 'rxjs';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { realClock } from '../../../src/core/platform/clock.js';

/** Deliveries of one job, `x` of the tenant `t`, that has come to this phase. */
const world = (deliver: JobSink['deliver'], phase: JobPhase | 'none' = 'completed', reaches = true) => {
  const told: QueueStepMessage[] = [];
  onTestFinished(listenTo('promptwire:queue:download', (message) => void told.push(message)));
  const state = initialJobState({ workflow: {}, promptId: 'p', phase: phase === 'none' ? 'pending' : phase });
  const stop = new AbortController();
  const lost = new AbortController();
  const client = { name: 'the client' } as never;
  const queue = {
    clock: realClock,
    queueStore: { image: () => Promise.resolve(undefined) },
    store: { get: (id: string) => Promise.resolve(id === 'x' ? { tenant: 't' } : undefined) },
    log: {
      read: ({ owner, jobId }: { readonly owner: string; readonly jobId: string }) => {
        expect([owner, jobId]).toEqual(['t', 'x']);
        const events = [{ id: '1', jobId, event: { type: 'submitted', at: 0, state } }];
        return Promise.resolve({ events: phase === 'none' ? [] : events, gap: false });
      },
    },
  } as never;
  const run = deliverFiles({
    ...{
      sink: { deliver },
      clientOf: () => (reaches ? client : undefined),
      queue,
      name: 'q',
      worker: 'w',
      signal: stop.signal,
    },
  });
  return { told, client, stop, lost, run: (id = 'x') => run(id, lost.signal) };
};
const fails = (error: Error) => (): Promise<never> => Promise.reject(error);

describe('a delivery', () => {
  it('hands a job that completed to the sink, with the client and what ends it, and tells how long it took', async () => {
    const given: Parameters<JobSink['deliver']>[] = [];
    const { told, client, run } = world((...args) => Promise.resolve(void given.push(args)));
    expect(await run()).toBe('done');
    expect(given).toMatchObject([
      [
        { id: 'x', tenant: 't', state: { phase: 'completed', promptId: 'p' } },
        { client, signal: { aborted: false } },
      ],
    ]);
    expect(told).toEqual([
      {
        ...{ queue: 'q', jobId: 'x', tenant: 't', worker: 'w', promptId: 'p', error: undefined },
        ...{ startedAt: expect.any(Number) as number, endedAt: expect.any(Number) as number },
      },
    ]);
  });

  it.each(['failed', 'in_progress', 'none'] as const)(
    'has nothing to do for a job that is %s',
    async (phase) => {
      const { told, run } = world(fails(new Error('not asked')), phase);
      expect(await run()).toBe('done');
      expect(told).toEqual([]);
    },
  );

  it.each(['lost', 'stop'] as const)(
    'goes back where the worker does not reach the server of the job, at the signal %s at once',
    async (name) => {
      const { told, run, ...signals } = world(fails(new Error('not asked')), 'completed', false);
      const running = run();
      signals[name].abort();
      expect(await running).toBe('requeue');
      expect(told).toEqual([]);
    },
  );

  it('goes back half a second later where the worker does not reach the server of the job', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let end: string | undefined;
    void world(fails(new Error('not asked')), 'completed', false)
      .run()
      .then((one) => (end = one));
    await vi.advanceTimersByTimeAsync(499);
    expect(end).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(end).toBe('requeue');
  });

  it('has nothing to do for a job that the queue has forgotten', async () => {
    expect(await world(fails(new Error('not asked'))).run('y')).toBe('done');
  });

  it('that fails is tried again, and tells why', async () => {
    const away = serviceError('Network', { code: 'X', sent: true });
    const first = world(fails(away));
    await expect(first.run()).rejects.toBe(away);
    expect(first.told).toMatchObject([{ jobId: 'x', error: 'Network' }]);
    const full = new Error('The disk is full.');
    const second = world(fails(full));
    await expect(second.run()).rejects.toBe(full);
    expect(second.told.at(-1)).toMatchObject({ error: 'Defect' });
  });

  it.each(['stop', 'lost'] as const)(
    'goes back at the signal %s, before it begins and while it runs',
    async (name) => {
      const early = world(fails(new Error('not asked')));
      early[name].abort();
      expect(await early.run()).toBe('requeue');
      const late = world(async (_, { signal }) => {
        late[name].abort();
        await Promise.resolve();
        throw signal.aborted ? (signal.reason as Error) : new Error('no signal');
      });
      expect(await late.run()).toBe('requeue');
      expect(late.told).toEqual([]);
    },
  );
});

describe('a folder as a sink', () => {
  const delivered = async (download: () => unknown) => {
    const given: unknown[][] = [];
    const client = {
      download: (...args: unknown[]) => {
        given.push(args);
        return download();
      },
    } as never;
    const state = initialJobState({ workflow: {}, phase: 'completed' });
    const { signal } = new AbortController();
    await folderSink('/srv/pictures').deliver(
      { id: 'x', tenant: 't', state },
      { client, signal, socketImage: () => Promise.resolve(undefined) },
    );
    return { given, state, signal };
  };

  it('gets the outputs of the job alone, anew each time, in a folder of the job', async () => {
    const { given, state, signal } = await delivered(() => of({ path: 'a.png' }));
    expect(given).toEqual([
      [
        state,
        join('/srv/pictures', 'x'),
        { filter: expect.any(Function) as unknown, overwrite: true, signal },
      ],
    ]);
    const { filter } = given[0]?.[2] as { readonly filter: (file: { readonly type: string }) => boolean };
    expect(['output', 'temp', 'input'].map((type) => filter({ type }))).toEqual([true, false, false]);
  });

  it('takes a job without files, and rejects where a file does not come', async () => {
    await delivered(() => EMPTY);
    const error = new Error('away');
    await expect(delivered(() => throwError(() => error))).rejects.toBe(error);
  });

  it('gets the pictures of nodes that send them over the socket, whole, under names of their own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const pictures: Readonly<Record<string, string>> = { 3: 'one', 5: 'two' };
    const socketImages = ['3', '4', '5'].map((nodeId) => ({ nodeId, index: 0, mediaType: 'image/png' }));
    const state = { ...initialJobState({ workflow: {}, phase: 'completed' }), socketImages };
    const deliver = () =>
      folderSink(join(folder, 'into')).deliver(
        { id: 'x', tenant: 't', state },
        {
          client: { download: () => EMPTY } as never,
          signal: new AbortController().signal,
          socketImage: ({ nodeId }) => {
            const text = pictures[nodeId];
            const bytes = new TextEncoder().encode(text);
            return Promise.resolve(text === undefined ? undefined : { mediaType: 'image/png', bytes });
          },
        },
      );
    await deliver();
    // Another delivery replaces them.
    await deliver();
    const names = (await readdir(join(folder, 'into', 'x'))).toSorted();
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'into', 'x', name), 'utf8')));
    expect([texts, names.every((name) => name.endsWith('.png'))]).toEqual([['one', 'two'], true]);
  });
});
