import { aQueue, playedClient } from './a-worker.js';
import type { Client } from 'promptwire';
import { describeRedis } from '../describe-redis.js';
import { createWorker } from '../../../src/server/queue/worker/create-worker.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

describeRedis((server) => {
  it('runs as many jobs as the queue has slots, or as it is told, and says how it is', async () => {
    const { queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push(await queue.add(workflow));
    const worker = work(client, { tier: 'creator' });
    await worker.ready;
    await expect.poll(() => service.submitted.length).toBe(3);
    expect(await worker.health()).toEqual({ ready: true, running: 3, closing: false });
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(() => service.submitted.length).toBe(4);
    for (const { promptId } of service.submitted) service.move(promptId, 'completed');
    for (const id of ids) await expect.poll(() => phaseOf(id)).toBe('completed');
    await expect.poll(async () => (await worker.health()).running).toBe(0);
    await worker.close();
    expect(await worker.health()).toEqual({ ready: false, running: 0, closing: true });
    const alone = work(client, { concurrency: 1 });
    for (let count = 0; count < 2; count += 1) await queue.add(workflow);
    await expect.poll(() => service.submitted.length).toBe(5);
    await alone.ready;
    expect(await alone.health()).toMatchObject({ running: 1 });
    service.move(service.submitted[4]!.promptId, 'failed');
    await expect.poll(() => service.submitted.length).toBe(6);
    service.move(service.submitted[5]!.promptId, 'completed');
  });

  it('gives a submission the time that its service takes to show what it has, or what it is told', async () => {
    const within = async (...[ids, rules]: [Parameters<typeof playedClient>[0], object?]) => {
      const { queue, work } = aQueue(server());
      const { service, client } = playedClient(ids);
      await queue.add(workflow);
      work(client, { ...(rules !== undefined && { rules }) });
      await expect.poll(() => service.submitted.length).toBe(1);
      const [{ promptId, timeoutMs } = { promptId: '', timeoutMs: 0 }] = service.submitted;
      service.move(promptId, 'completed');
      return Math.ceil(timeoutMs / 1_000);
    };
    expect(
      await Promise.all([
        within('jobs'),
        within('unproven'),
        within('none'),
        within('jobs', { deadlineMs: 7_000 }),
      ]),
    ).toEqual([10, 10, 30, 7]);
  });

  it('cancels the job that it is asked to, and no other', async () => {
    const { queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    const [one, other] = [await queue.add(workflow), await queue.add(workflow)];
    await work(client, { tier: 2 }).ready;
    await expect.poll(() => service.calls.filter((call) => call.startsWith('follow')).length).toBe(2);
    await queue.cancel(one);
    await expect.poll(() => phaseOf(one)).toBe('cancelled');
    expect(service.calls.filter((call) => call.startsWith('cancel'))).toHaveLength(1);
    expect(await phaseOf(other)).toBe('running');
  });

  it('hands what it runs over to another worker when it closes', async () => {
    const { queue, work, phaseOf } = aQueue(server());
    const [first, second] = [playedClient(), playedClient()];
    const id = await queue.add(workflow);
    const worker = work(first.client);
    await expect.poll(() => first.service.calls.length).toBe(2);
    await worker.close();
    // It has let the job go by then.
    expect(await worker.health()).toEqual({ ready: false, running: 0, closing: true });
    await worker.close();
    work(second.client);
    const { promptId } = first.service.submitted[0]!;
    await expect.poll(() => second.service.calls).toEqual([`follow ${promptId}`]);
    second.service.move(promptId, 'completed');
    await expect.poll(() => phaseOf(id)).toBe('completed');
  });

  it('lets what runs come to its end in the time that it is given, and takes no other job', async () => {
    const { queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    const id = await queue.add(workflow);
    const worker = work(client);
    await expect.poll(() => service.calls.length).toBe(2);
    const closed = worker.close({ graceMs: 60_000 });
    expect(await worker.health()).toEqual({ ready: false, running: 1, closing: true });
    service.move(service.submitted[0]!.promptId, 'completed');
    await closed;
    expect(await phaseOf(id)).toBe('completed');
    const waits = await queue.add(workflow);
    expect([await phaseOf(waits), service.submitted.length]).toEqual(['waiting', 1]);
  });

  it('waits for the time that it is given no longer than something runs', async () => {
    const graceMs = 61_234;
    let [set, waiting] = [0, 0];
    const { after } = realClock;
    vi.spyOn(realClock, 'after').mockImplementation((delayMs, run, options) => {
      const cancel = after(delayMs, run, options);
      if (delayMs !== graceMs) return cancel;
      set += 1;
      waiting += 1;
      return () => {
        waiting -= 1;
        cancel();
      };
    });
    const worker = aQueue(server()).work(playedClient().client);
    await worker.ready;
    await worker.close({ graceMs });
    expect([set, waiting]).toEqual([1, 0]);
  });

  it('closes at once while a job waits after a refusal for the moment', async () => {
    const { queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    service.refusal = serviceError('RateLimited', { retryAfterMs: 60_000 });
    const id = await queue.add(workflow);
    const worker = work(client);
    await expect.poll(() => service.calls).toEqual(['submit']);
    await worker[Symbol.asyncDispose]();
    expect([await phaseOf(id), service.calls]).toEqual(['running', ['submit']]);
  });

  it('pauses the queue where the service refuses the account, with the reason, and goes on when it is resumed', async () => {
    const { account, queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    const told: unknown[] = [];
    onTestFinished(listenTo('promptwire:queue:pause', (message) => void told.push(message)));
    service.refusal = serviceError('Unauthorized', { message: 'No such key.' });
    const id = await queue.add(workflow);
    work(client, { onPause: ({ _tag }) => void told.push(_tag) });
    await expect.poll(() => told.length).toBe(2);
    expect(told).toEqual([{ queue: account.name, message: 'Unauthorized: No such key.' }, 'Unauthorized']);
    expect((await queue.stats()).paused).toBe('Unauthorized: No such key.');
    service.refusal = undefined;
    await queue.resume();
    await expect.poll(() => service.calls).toContain('resume');
    await expect.poll(() => service.submitted.length).toBe(1);
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(() => phaseOf(id)).toBe('completed');
  });

  it('delivers the files of a job that completed, where it has a sink', async () => {
    const { queue, work } = aQueue(server());
    const { service, client } = playedClient();
    const delivered: string[] = [];
    const id = await queue.add(workflow, { tenant: 't' });
    work(client, {
      sink: { deliver: (job) => Promise.resolve(void delivered.push(`${job.id} of ${job.tenant}`)) },
    });
    await expect.poll(() => service.submitted.length).toBe(1);
    expect(delivered).toEqual([]);
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(() => delivered).toEqual([`${id} of t`]);
  });

  it('reads the account’s queue where it counts the jobs of other programs, and looks after its own in any case', async () => {
    const { account, work } = aQueue(server());
    const [plain, counting] = [playedClient(), playedClient()];
    const told: string[] = [];
    onTestFinished(listenTo('promptwire:queue:stats', ({ queue }) => void told.push(queue)));
    work(plain.client);
    await expect.poll(() => told).toEqual([account.name]);
    work(counting.client, { countExternalJobs: true });
    await expect.poll(() => counting.service.calls).toEqual(['queue']);
    expect(plain.service.calls).toEqual([]);
  });

  it('closes all that it has opened, and listens no more', async () => {
    const { account, queue, work } = aQueue(server());
    const { service, client } = playedClient();
    await queue.stats();
    const redis = server().connect();
    const clients = async () =>
      String(await redis.client('LIST'))
        .trim()
        .split('\n').length;
    const before = await clients();
    const worker = work(client, { sink: { deliver: () => Promise.resolve() } });
    await worker.ready;
    await expect.poll(clients).toBeGreaterThan(before + 2);
    await worker.close();
    await expect.poll(clients).toBe(before);
    await queue.resume();
    expect([service.calls, account.name.startsWith('worker')]).toEqual([[], true]);
  });

  it('is ready as long as the server answers', async () => {
    const { work } = aQueue(server());
    const worker = work(playedClient().client);
    await worker.ready;
    await server().kill();
    expect(await worker.health()).toMatchObject({
      ready: false,
      running: 0,
      closing: false,
      reason: expect.stringMatching(/ECONNREFUSED|ECONNRESET|does not answer/u) as string,
    });
    await server().start();
    await expect.poll(async () => (await worker.health()).ready).toBe(true);
  });

  it(
    'Q9 ends soon after the time it is given where the server goes away before an answer is kept, and another worker finds the job',
    async () => {
      const { queue, work, phaseOf } = aQueue(server());
      const [first, second] = [playedClient(), playedClient()];
      const client = first.client as Client;
      const submit: Client['rest']['submit'] = (...args) => {
        const answer = client.rest.submit(...args);
        return async () => {
          await server().kill();
          return answer();
        };
      };
      const id = await queue.add(workflow);
      const worker = work({ ...client, rest: { ...client.rest, submit } });
      await expect.poll(() => first.service.submitted.length).toBe(1);
      await worker.close({ graceMs: 100 });
      // A worker that closes is not ready whatever the server says, so it has no reason.
      expect(await worker.health()).toEqual({ ready: false, running: 1, closing: true });
      await server().start();
      work(second.client);
      const { promptId } = first.service.submitted[0]!;
      await expect.poll(() => second.service.calls).toContain(`follow ${promptId}`);
      second.service.move(promptId, 'completed');
      await expect.poll(() => phaseOf(id)).toBe('completed');
    },
    // Without that end it takes 35 s.
    30_000,
  );

  it('can’t begin with options that can’t work, and closes at once where no server answers', async () => {
    const { account } = aQueue(server());
    const { client } = playedClient();
    expect(() => createWorker({ ...account, client, name: 'a b' })).toThrow('name takes');
    const away = { ...account, client, connection: { host: '127.0.0.1', port: 1 } };
    const silent = createWorker({ ...away, connectWithinMs: 50 });
    await expect(silent.ready).rejects.toMatchObject({ _tag: 'Network', code: 'ETIMEDOUT' });
    expect(await silent.health()).toMatchObject({
      ready: false,
      running: 0,
      closing: false,
      reason: expect.stringMatching(/ECONNREFUSED|ECONNRESET|does not answer/u) as string,
    });
    await silent.close();
    const waiting = createWorker(away);
    await waiting.close();
    await expect(waiting.ready).rejects.toMatchObject({ _tag: 'InvalidConfig' });
    expect(silent.id).not.toBe(waiting.id);
  });
});
