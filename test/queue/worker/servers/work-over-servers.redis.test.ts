import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { createJobQueue } from '../../../../src/server/queue/jobs/create-job-queue.js';
import { createWorker } from '../../../../src/server/queue/worker/create-worker.js';
import { describeRedis } from '../../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { playedClient } from '../a-worker.js';
import type { QueueWorkerOptions, WorkerPoolServer } from '../../../../src/server/queue/options.js';
import { refusal } from '../held-world.js';
import type { JobRunnerOptions } from '../../../../src/server/queue/worker/job-runner.js';
import { workOverServers } from '../../../../src/server/queue/worker/servers/work-over-servers.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
const attic: WorkerPoolServer = {
  ...{
    name: 'attic',
    baseUrl: 'http://10.0.0.7',
    tags: [],
    health: 'up',
    since: 0,
    mode: 'active',
    slots: 1,
  },
};

describeRedis((server) => {
  let names = 0;
  /** A queue over servers, and a worker that brings one of them, which the test plays. */
  const world = async (more: Partial<QueueWorkerOptions> = {}) => {
    const common = {
      ...{ connection: `redis://127.0.0.1:${server().port}`, name: `work over servers ${(names += 1)}` },
      onWarning: () => undefined,
    };
    const name = common.name.replaceAll(' ', '-');
    const { service, client } = playedClient();
    const servers = new BehaviorSubject([attic]);
    const queue = createJobQueue({ ...common, name, over: 'servers' });
    onTestFinished(() => queue.close());
    const pool = { servers, client: () => client! };
    const worker = createWorker({ ...common, name, pool, lockMs: 800, ...more });
    onTestFinished(() => worker.close());
    await worker.ready;
    const phaseOf = async (id: string) => (await queue.state(id)).phase;
    return { queue, worker, service, servers, client, phaseOf };
  };

  it('runs jobs at the server that it brings, delivers from there, and lets it go when it closes', async () => {
    const delivered: unknown[] = [];
    const sink = {
      deliver: (_: unknown, { client }: { readonly client: unknown }) =>
        Promise.resolve(void delivered.push(client)),
    };
    const { queue, worker, service, servers, client, phaseOf } = await world({ sink });
    const ids = await queue.addAll([{ workflow }, { workflow }]);
    await expect.poll(() => service.submitted.length).toBe(1);
    expect(await worker.health()).toMatchObject({ ready: true, running: 1 });
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(() => service.submitted.length).toBe(2);
    service.move(service.submitted[1]!.promptId, 'completed');
    for (const id of ids) await expect.poll(() => phaseOf(id)).toBe('completed');
    await expect.poll(() => delivered).toEqual([client, client]);
    await worker.close();
    expect(servers.observed).toBe(false);
    expect((await queue.stats()).slots).toBe(0);
  });

  it('runs no more jobs than it may', async () => {
    const { queue, service, servers } = await world({ concurrency: 2 });
    servers.next([{ ...attic, slots: 9 }]);
    await firstValueFrom(queue.servers.pipe(filter(([one]) => one?.slots === 9)));
    await queue.addAll(Array(4).fill({ workflow }));
    await expect.poll(() => service.submitted.length).toBe(2);
    expect((await queue.stats()).waiting).toBe(2);
  });

  it('pauses a server that refuses its account, with the reason, and no other', async () => {
    const { queue, service } = await world();
    service.refusal = refusal('Unauthorized');
    await queue.add(workflow);
    const [paused] = await firstValueFrom(queue.servers.pipe(filter(([one]) => one?.mode === 'paused')));
    expect(paused).toMatchObject({ name: 'attic', reason: 'Unauthorized: It is Unauthorized.' });
    expect((await queue.stats()).waiting).toBe(1);
    service.refusal = undefined;
    await queue.resumeServer('attic');
    await expect.poll(() => service.submitted.length).toBe(1);
  });

  it('ends a job that no server can run, with the reason', async () => {
    const { queue, phaseOf } = await world();
    const id = await queue.add({ 1: { class_type: 'Unheard', inputs: {} } });
    await expect.poll(() => phaseOf(id)).toBe('failed');
    expect((await queue.state(id)).failure).toMatchObject({
      ...{
        exceptionType: 'InvalidWorkflow',
        exceptionMessage: expect.stringContaining('no class Unheard') as string,
      },
    });
  });
});

it('can’t be made without a pool, which the options of a worker are checked for', () => {
  const options = { name: 'q', connection: 'redis://127.0.0.1:6379' };
  expect(() => workOverServers({ options } as unknown as JobRunnerOptions)).toThrow(
    expect.objectContaining({
      ...{ _tag: 'InvalidConfig', option: 'pool', message: 'A worker has no pool.' },
    }) as Error,
  );
});
