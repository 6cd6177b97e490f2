import { emulated, failing, picture, slow } from '../helpers/emulated.js';
import { expect, it, onTestFinished } from 'vitest';
import { filter, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { createWorker } from '../../src/server/queue/worker/create-worker.js';
import type { Emulator } from '../../src/emulator.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { folderSink } from '../../src/server/queue/worker/folder-sink.js';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { needlesOf } from '../helpers/needles.js';
import { describeRedis } from './describe-redis.js';
import { queueUpstream } from '../../src/server/gateway/upstream/queue-upstream.js';
import { outputFiles } from '../../src/core/state/output-files.js';
import { ephemeralWorkflow } from '../../src/workflow.js';
import { reached, setUp } from './set-up.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { progressOf, statusOf } from '../../src/core/events/state-members.js';
import { redisJobStore } from '../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../src/server/queue/store/redis-queue-store.js';
import { tmpdir } from 'node:os';
import type { Workflow } from '../../src/core/protocol/workflow.js';
import { storeClock } from '../../src/server/queue/store/store-clock.js';

const submissions = ({ ledger }: Emulator): number => ledger.jobs.length;

describeRedis(
  (server) => {
    it.each(['cloud', 'local', 'v2'] as const)(
      'runs jobs by a service of the dialect %s',
      async (dialect) => {
        const { emulator, queue, work } = await setUp(server(), { dialect });
        const ids = [await queue.add(picture()), await queue.add(picture())];
        await work();
        const last = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
        expect(last.map(({ phase }) => phase)).toEqual(['completed', 'completed']);
        expect(last.map(({ promptId }) => promptId).toSorted()).toEqual(
          emulator.ledger.jobs.map(({ promptId }) => promptId).toSorted(),
        );
        expect(await queue.outputs(ids[0] ?? '')).toEqual(last[0]?.outputs);
      },
    );

    it('O6: carries times, metadata of files and what nodes do, and gives the latest state', async () => {
      const { queue, work } = await setUp(server(), { profile: '2026-11' });
      const id = await queue.add(picture());
      expect((await queue.state(id)).phase).toBe('submitting');
      await work();
      const last = await lastValueFrom(queue.follow(id));
      const at = expect.any(Number) as number;
      expect(last).toMatchObject({ phase: 'completed', startedAt: at, endedAt: at });
      expect(outputFiles(last.outputs).every(({ metadata }) => metadata?.width !== undefined)).toBe(true);
      expect(await queue.state(id)).toEqual(last);
      await expect(queue.state('unheard-of')).rejects.toMatchObject({ _tag: 'NotFound' });
    });

    it('O6: says what a node does while it makes no steps', async () => {
      const { emulator, queue, work } = await setUp(server(), {
        ...{ dialect: 'local', speed: 1 },
        // Its own say that the node does nothing else.
        faults: [{ on: 'event', do: 'drop', match: { type: 'progress_state' }, times: 'every' }],
      });
      await work();
      const id = await queue.add(slow());
      await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
      const { promptId } = await queue.state(id);
      const node = { node_id: '1', display_node_id: '1', prompt_id: promptId, state: 'running' };
      const nodes = { 1: { ...node, value: 0, max: 1, activity: 'loading' } };
      emulator.inject(JSON.stringify({ type: 'progress_state', data: { prompt_id: promptId, nodes } }));
      const loading = filter(({ nodes: { 1: one } }: JobState) => one?.activity === 'loading');
      await firstValueFrom(queue.follow(id).pipe(loading));
      expect((await queue.state(id)).nodes['1']).toMatchObject({ activity: 'loading' });
      await queue.cancel(id);
    });

    it('O7: keeps pictures that a job sends over the socket, also for a gateway', async () => {
      const { queue, work } = await setUp(server(), { dialect: 'local' });
      await work();
      const id = await queue.add({
        '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
        '2': { class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } },
      });
      const state = await lastValueFrom(queue.follow(id));
      expect(state).toMatchObject({ phase: 'completed', outputsComplete: true });
      const [image] = state.socketImages ?? [];
      expect(image).toEqual({
        ...{ nodeId: '2', index: 0, mediaType: 'image/png' },
        url: `/jobs/${id}/outputs/websocket.0.2`,
      });
      const read = await queue.socketImage(id, { nodeId: '2', index: 0 });
      expect([read?.mediaType, [...(read?.bytes.subarray(1, 4) ?? [])]]).toEqual(['image/png', [80, 78, 71]]);
      expect(await queue.socketImage(id, { nodeId: '2', index: 1 })).toBeUndefined();
      const upstream = queueUpstream(queue, undefined);
      expect(await upstream.image?.(id, { nodeId: '2', index: 0 })).toEqual(read);
    });

    it('Q2 runs a job whose id is a name that the engine keeps something by, a number, or has a colon', async () => {
      const { queue, work } = await setUp(server());
      await work();
      const ids = ['delayed', 'wait', 'meta', '7', 'a:b', 'id-delayed'];
      for (const id of ids) expect(await queue.add(picture(), { id })).toBe(id);
      const last = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
      expect(last.map(({ phase }) => phase)).toEqual(ids.map(() => 'completed'));
      expect(await queue.add(picture(), { id: 'delayed', delayMs: 50 })).toBe('delayed');
      const late = await queue.add(picture(), { id: 'paused', delayMs: 50 });
      expect((await lastValueFrom(queue.follow(late))).phase).toBe('completed');
    });

    it('N5 carries an integer beyond 2^53 to the service, and tells of one that may have been rounded', async () => {
      const { emulator, queue, work } = await setUp(server(), { dialect: 'local' });
      const withSeed = (seed: bigint | number): Workflow => {
        const nodes = Object.entries(picture()).map(([id, { inputs, ...node }]) => [
          id,
          { ...node, inputs: 'seed' in inputs ? { ...inputs, seed } : inputs },
        ]);
        return Object.fromEntries(nodes) as Workflow;
      };
      const ids = [await queue.add(withSeed(2n ** 64n - 1n)), await queue.add(withSeed(2 ** 63))];
      await work();
      const [exact, rounded] = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
      expect([exact?.phase, exact?.problems]).toEqual(['completed', undefined]);
      expect(rounded?.problems).toMatchObject([{ type: 'rounded_integer', input: 'seed' }]);
      const bodies = emulator.requests.filter(
        ({ method, url }) => method === 'POST' && url === '/api/prompt',
      );
      expect(bodies.map(({ body = '' }) => /"seed":(\d+)/u.exec(body)?.[1])).toContain(
        '18446744073709551615',
      );
    });

    it('gives an early, a late and a resumed follower the same lifecycle, on any machine', async () => {
      const { queue, open, work } = await setUp(server());
      const id = await queue.add(picture());
      const early = lastValueFrom(queue.events(id).pipe(toArray()));
      await work();
      const seen = await early;
      expect(seen[0]?.event.type).toBe('submitted');
      expect(seen.at(-1)?.state.phase).toBe('completed');
      expect(await lastValueFrom(open().events(id).pipe(toArray()))).toEqual(seen);
      const after = seen[1]?.id;
      expect(await lastValueFrom(open().events(id, { after }).pipe(toArray()))).toEqual(seen.slice(2));
      const last = { after: seen.at(-1)?.id };
      expect(await lastValueFrom(open().events(id, last).pipe(toArray()))).toEqual([]);
      expect((await lastValueFrom(open().follow(id, last))).phase).toBe('completed');
      const unheard = lastValueFrom(open().events(id, { after: 'unheard-of' }));
      await expect(unheard).rejects.toMatchObject({ _tag: 'NotFound' });
    });

    it('never runs more than the account may, whoever works, and hands jobs over when a worker closes', async () => {
      const { emulator, queue, work } = await setUp(server(), { speed: 5, concurrency: 'unlimited' });
      const ids: string[] = [];
      for (let count = 0; count < 9; count += 1) ids.push(await queue.add(slow(10 + count)));
      const first = await work({ tier: 2 });
      await work({ tier: 2 });
      let most = 0;
      const watch = setInterval(() => {
        const running = emulator.ledger.jobs.filter(
          ({ state }) => state === 'in_progress' || state === 'pending',
        );
        most = Math.max(most, running.length);
      }, 5);
      onTestFinished(() => {
        clearInterval(watch);
      });
      await firstValueFrom(queue.follow(ids[0] ?? '').pipe(reached('in_progress')));
      await first.close();
      const last = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
      expect(last.map(({ phase }) => phase)).toEqual(ids.map(() => 'completed'));
      expect(most).toBe(2);
      expect(submissions(emulator)).toBe(9);
    });

    it('begins anew with a job whose lock was lost, as in a process that was suspended, and has a place for it', async () => {
      const { emulator, queue, work, common } = await setUp(server(), { speed: 0.1 });
      const id = await queue.add(slow(9_000));
      await work({ lockMs: 1_000, concurrency: 1 });
      await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
      const redis = server().connect();
      const prefix = `{promptwire:${common.name}}:`;
      await redis.del(`${prefix}engine:turns:${id}:lock`);
      await expect.poll(() => redis.hget(`${prefix}job:${id}`, 'fence'), { timeout: 10_000 }).toBe('2');
      await queue.cancel(id);
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('cancelled');
      expect(submissions(emulator)).toBe(1);
    });

    it('goes on with a job that a worker without the turn has taken, as one whose step came late', async () => {
      const { emulator, queue, work, common } = await setUp(server(), { speed: 5 });
      const id = await queue.add(picture(60));
      await work();
      await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
      const store = redisJobStore({
        redis: server().connect(),
        name: common.name,
        time: storeClock(() => 0),
      });
      expect((await store.take(id, 'late'))?.id).toBe(id);
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      expect(submissions(emulator)).toBe(1);
    });

    it('goes on with a job whose turn is gone', async () => {
      const { emulator, queue, work, common } = await setUp(server());
      const id = await queue.add(picture());
      const store = redisJobStore({
        redis: server().connect(),
        name: common.name,
        time: storeClock(() => 0),
      });
      expect((await store.take('gone', 'dead'))?.id).toBe(id);
      await work();
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      expect(submissions(emulator)).toBe(1);
    });

    it('attaches to the job of a submission whose answer was lost', async () => {
      const { emulator, queue, work } = await setUp(server());
      emulator.setFaults([{ on: 'rest', route: 'POST /api/prompt', do: 'commit-then-cut' }]);
      const id = await queue.add(picture());
      await work({ rules: { lookEveryMs: 20 } });
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      expect(submissions(emulator)).toBe(1);
    });

    it('leaves a job that can’t be found to a person, whose decision counts', async () => {
      const { emulator, queue, work } = await setUp(server());
      emulator.setFaults([{ on: 'rest', route: 'POST /api/prompt', do: 'answer', status: 502 }]);
      const id = await queue.add(picture());
      await work({ rules: { lookEveryMs: 20, deadlineMs: 100, lagMs: 0 } });
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('unknown');
      expect(submissions(emulator)).toBe(0);
      expect((await queue.stats()).unknown).toBe(1);
      await queue.resolve(id, 'resubmit');
      const phaseNow = async () => {
        for await (const { phase } of queue.list()) return phase;
        return undefined;
      };
      await expect.poll(phaseNow, { timeout: 10_000 }).toBe('completed');
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      expect(submissions(emulator)).toBe(1);
    });

    it('pauses once with the reason where the account has no credits, and goes on when it is resumed', async () => {
      const { emulator, queue, work } = await setUp(server());
      emulator.setBilling('no credits');
      const ids = [await queue.add(picture()), await queue.add(picture())];
      const paused = new Promise<unknown>((resolve) => {
        void work({ onPause: resolve });
      });
      expect(await paused).toMatchObject({ _tag: 'InsufficientCredits' });
      expect((await queue.stats()).paused).toContain('InsufficientCredits');
      emulator.setBilling('active');
      await queue.resume();
      const last = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
      expect(last.map(({ phase }) => phase)).toEqual(['completed', 'completed']);
    });

    it('parks a workflow that the service refuses, with the reason', async () => {
      const { queue, work } = await setUp(server());
      const id = await queue.add({ 1: { class_type: 'NoSuchNode', inputs: {} } });
      await work();
      expect(await lastValueFrom(queue.follow(id))).toMatchObject({
        phase: 'failed',
        failure: { exceptionType: 'BadRequest' },
      });
    });

    it('parks a workflow whose paid nodes the plan refuses, and goes on with the others', async () => {
      const switches = { partnerNodes: 'refused' } as const;
      const { emulator, queue, work } = await setUp(server(), { profile: '2026-11', switches });
      const paid = {
        1: { class_type: 'PartnerImageNode', inputs: { prompt: '', seed: 1 } },
        2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
      };
      const ids = [await queue.add(paid), await queue.add(picture())];
      await work();
      const last = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
      expect(last).toMatchObject([
        { phase: 'failed', failure: { exceptionType: 'InsufficientCredits' } },
        { phase: 'completed' },
      ]);
      expect((await queue.stats()).paused).toBeUndefined();
      expect(submissions(emulator)).toBe(1);
    });

    it('cancels a job that waits at once, and one that runs by its worker', async () => {
      const { emulator, queue, work } = await setUp(server(), { speed: 5 });
      const ids = [await queue.add(slow()), await queue.add(slow())];
      await work({ tier: 1 });
      await firstValueFrom(queue.follow(ids[0] ?? '').pipe(reached('in_progress')));
      for (const id of ids.toReversed()) await queue.cancel(id);
      const last = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
      expect(last.map(({ phase }) => phase)).toEqual(['cancelled', 'cancelled']);
      expect(submissions(emulator)).toBe(1);
    });

    it('delivers the files of a job to a folder of its own', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'promptwire-sink-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const { queue, work } = await setUp(server());
      const id = await queue.add(picture());
      const sent = await queue.add(ephemeralWorkflow(picture()).workflow);
      await work({ sink: folderSink(folder) });
      for (const one of [id, sent]) await lastValueFrom(queue.follow(one));
      await expect.poll(() => readdir(join(folder, id)).catch(() => []), { timeout: 10_000 }).toHaveLength(1);
      const saved = () => readdir(join(folder, sent)).catch(() => []);
      await expect
        .poll(saved, { timeout: 10_000 })
        .toEqual(['SaveImageWebsocket_1.png', 'SaveImageWebsocket_2.png']);
    });

    it.each([
      { dialect: 'cloud', profile: '2026-11' },
      { dialect: 'local', engine: 'latest' },
    ] as const)(
      'O8: leaves neither file nor record of an ephemeral job at a service of the dialect $dialect',
      async (service) => {
        const folder = await mkdtemp(join(tmpdir(), 'promptwire-sink-'));
        const { emulator, newClient, queue, work } = await setUp(server(), service);
        const id = await queue.add(picture(), { ephemeral: true });
        const plain = await queue.add(picture());
        await work({ sink: folderSink(folder) });
        const [last] = await Promise.all([
          lastValueFrom(queue.follow(id)),
          lastValueFrom(queue.follow(plain)),
        ]);
        expect([last.phase, outputFiles(last.outputs), last.socketImages?.length]).toEqual([
          'completed',
          [],
          2,
        ]);
        const saved = () => readdir(join(folder, id)).catch(() => []);
        await expect.poll(saved, { timeout: 10_000 }).toHaveLength(2);
        const records = async () => {
          const jobs = await lastValueFrom(newClient().jobs().pipe(toArray()));
          return jobs.map(({ promptId }) => promptId);
        };
        const [kept] = emulator.ledger.jobs
          .map(({ promptId }) => promptId)
          .filter((one) => one !== last.promptId);
        await expect.poll(records, { timeout: 10_000 }).toEqual([kept]);
        const message = 'The workflow leaves files on the server.';
        const writing = { 1: { class_type: 'SaveAudio', inputs: {} } };
        await expect(queue.add(writing, { ephemeral: true })).rejects.toThrow(message);
        await expect(queue.addAll([{ workflow: writing, ephemeral: true }])).rejects.toThrow(message);
      },
    );

    it('O8: ends an ephemeral job that no sink takes before anything is sent', async () => {
      const { emulator, queue, work } = await setUp(server());
      const id = await queue.add(picture(), { ephemeral: true });
      await work();
      const { phase, failure } = await lastValueFrom(queue.follow(id));
      expect([phase, failure?.exceptionType, submissions(emulator)]).toEqual(['failed', 'NotSupported', 0]);
      expect(failure?.exceptionMessage).toContain('has no sink');
    });

    it('delivers the files of a job whose worker died after it had logged the end', async () => {
      const { queue, work, common } = await setUp(server());
      const id = await queue.add(picture());
      const redis = server().connect();
      const store = redisJobStore({ redis, name: common.name, time: storeClock(() => performance.now()) });
      const held = await store.take(id, 'dead');
      const state = initialJobState({ workflow: {}, phase: 'completed' });
      const end = { type: 'status', at: 0, status: statusOf(state), progress: progressOf(state) } as const;
      await redisQueueStore({ redis, name: common.name }).append(
        { id, fence: held?.fence ?? 0 },
        '',
        [end],
        true,
      );
      const delivered = new Promise<string>((resolve) => {
        const deliver = (job: { readonly id: string }): Promise<void> => {
          resolve(job.id);
          return Promise.resolve();
        };
        void work({ sink: { deliver } });
      });
      expect(await delivered).toBe(id);
    });

    it('takes no more jobs while it drains, ends what waits when it is cleared, and adds a key once', async () => {
      const { queue, work } = await setUp(server());
      const first = await queue.add(picture(), { key: 'k', tenant: 't' });
      expect(await queue.add(picture(), { key: 'k', tenant: 't' })).toBe(first);
      const later = await queue.add(picture(), { delayMs: 60_000 });
      expect(await queue.stats()).toMatchObject({ waiting: 1, delayed: 1, held: 0 });
      expect(await queue.clear()).toBe(2);
      expect((await lastValueFrom(queue.follow(later))).phase).toBe('cancelled');
      await work();
      await queue.add(picture());
      await queue.drain();
      await expect(queue.add(picture())).rejects.toMatchObject({ _tag: 'Draining' });
      await queue.resume();
      const phases = [];
      for await (const { phase, tenant } of queue.list()) phases.push([phase, tenant]);
      expect(phases).toEqual([
        ['completed', ''],
        ['cancelled', ''],
        ['cancelled', 't'],
      ]);
      expect(
        (await queue.list({ tenant: 't', phase: 'completed' })[Symbol.asyncIterator]().next()).done,
      ).toBe(true);
    });

    it('runs on while the server is away, and logs what it missed', async () => {
      const { emulator, queue, work } = await setUp(server(), { speed: 5 });
      const id = await queue.add(slow(40));
      await work();
      await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
      await server().kill();
      await expect.poll(() => emulator.ledger.jobs[0]?.state, { timeout: 20_000 }).toBe('completed');
      await server().start();
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      expect(submissions(emulator)).toBe(1);
    });

    it('closes at once where it has never reached the server', async () => {
      const { newClient } = await emulated();
      const worker = createWorker({ connection: 'redis://127.0.0.1:1', name: 'away', client: newClient() });
      expect(await worker.health()).toMatchObject({ ready: false, running: 0, closing: false });
      await worker.close();
      await expect(worker.ready).rejects.toMatchObject({ _tag: 'InvalidConfig' });
    });

    it('keeps no key in Redis, in any encoding, after jobs that ended, failed and were refused with it', async () => {
      const key = 'comfyui-canary-of-the-queue/+=0123456789';
      const { emulator, queue, work } = await setUp(server(), { acceptKeys: [key] });
      const echo = JSON.stringify({ error: { type: 'invalid', message: `no ${key}` } });
      emulator.setFaults([
        { on: 'rest', route: 'POST /api/prompt', do: 'answer', status: 400, body: echo, nth: 2 },
      ]);
      await work({ tier: 1, partnerKey: true });
      const ids = [
        await queue.add(picture()),
        await queue.add(picture()),
        await queue.add(failing('ValueError')),
      ];
      for (const id of ids) await lastValueFrom(queue.follow(id));
      const redis = server().connect();
      const workflows = (await redis.keys('*:workflow:*')).map(async (name) =>
        gunzipSync((await redis.getBuffer(name)) ?? ''),
      );
      const all = Buffer.concat([await server().written(), ...(await Promise.all(workflows))]);
      expect(all.includes('BadRequest')).toBe(true);
      for (const { encoding, bytes } of needlesOf(key)) expect(all.includes(bytes), encoding).toBe(false);
    });
  },
  { isDurable: true },
);
