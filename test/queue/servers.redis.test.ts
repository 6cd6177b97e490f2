import {
  createJobQueue,
  createWorker,
  type JobQueueOptions,
  type QueueWorkerOptions,
} from '../../src/queue.js';
import { describeRedis } from './describe-redis.js';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { expect, it, onTestFinished } from 'vitest';
import { createPool } from '../../src/pool.js';
import {
  distinctUntilChanged,
  EMPTY,
  filter,
  firstValueFrom,
  lastValueFrom,
  map,
  takeWhile,
  toArray,
} from 'rxjs';
import { fileInput, type UploadedFile } from '../../src/index.js';
import { failing, picture, slow } from '../helpers/emulated.js';
import { join } from 'node:path';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { reached } from './set-up.js';
import { tmpdir } from 'node:os';
import { restarted } from '../helpers/restarted-engine.js';
import type { RedisServer } from '../helpers/redis-server.js';
import type { ServerOptions } from '../../src/pool.js';

let names = 0;

/** A queue over emulated engines, and workers that bring some of them. */
const overServers = async (server: RedisServer, count: number, options: EmulatorOptions = {}) => {
  const engines = await Promise.all(
    Array.from({ length: count }, async () => {
      const engine = await startEmulator({ dialect: 'local', ...options });
      onTestFinished(() => engine.close());
      return engine;
    }),
  );
  const common = {
    connection: `redis://127.0.0.1:${server.port}`,
    name: `servers-${(names += 1)}`,
    onWarning: (message: string) => {
      throw new Error(message);
    },
  };
  const open = (more: Partial<JobQueueOptions> = {}) => {
    const queue = createJobQueue({ ...common, over: 'servers', ...more });
    onTestFinished(() => queue.close());
    return queue;
  };
  const nameOf = (index: number): string => `engine-${index}`;
  const poolOf = (indexes: readonly number[], more: Partial<ServerOptions> = {}) => {
    const pool = createPool({
      servers: indexes.map((index) => {
        const { baseUrl, wsUrl } = engines[index]!;
        return { name: nameOf(index), baseUrl, wsUrl, dialect: 'local' as const, ...more };
      }),
    });
    onTestFinished(() => pool.close());
    return pool;
  };
  const work = async (indexes: readonly number[], more: Partial<QueueWorkerOptions> = {}) => {
    const worker = createWorker({ ...common, pool: more.pool ?? poolOf(indexes), lockMs: 800, ...more });
    onTestFinished(() => worker.close());
    await worker.ready;
    return worker;
  };
  return { engines, common, open, work, poolOf, queue: open() };
};

/** Copies a picture, which takes some steps. */
const copyOf = (file: UploadedFile, steps: number) => ({
  1: { class_type: 'LoadImage', inputs: { image: fileInput(file) } },
  2: { class_type: 'SlowNode', inputs: { steps, anything: ['1', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: `copy-${steps}` } },
});

const runs = ({ ledger }: Emulator): number => ledger.jobs.length;

describeRedis(
  (server) => {
    it('runs each job once, on the servers that workers bring', async () => {
      const { engines, queue, work } = await overServers(server(), 3);
      const ids = await queue.addAll(Array.from({ length: 6 }, () => ({ workflow: picture() })));
      await work([0, 1]);
      await work([1, 2]);
      const all = await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id).pipe(toArray()))));
      const last = all.map((states) => states.at(-1));
      expect(last.map((state) => state?.phase)).toEqual(ids.map(() => 'completed'));
      expect(last.map((state) => state?.server)).toEqual(await Promise.all(ids.map(queue.serverOf)));
      expect(new Set(all.flat().map(({ attempt }) => attempt))).toEqual(new Set([1]));
      expect(
        all.flat().filter(({ phase, server: at }) => (phase === 'submitting') === (at !== undefined)),
      ).toEqual([]);
      expect(engines.map(runs).reduce((all, count) => all + count)).toBe(6);
      const shown = await firstValueFrom(queue.servers);
      expect(shown.map(({ name, running, done }) => [name, running, done > 0])).toEqual([
        ['engine-0', 0, true],
        ['engine-1', 0, true],
        ['engine-2', 0, true],
      ]);
      expect((await queue.stats()).slots).toBe(3);
    });

    it('keeps each job as it was when it was added, also where the program goes on with its objects', async () => {
      const { engines, open, work } = await overServers(server(), 1);
      const queue = open();
      const workflow = picture();
      const extraData = { extra_pnginfo: { mark: 0 } };
      const sampler = Object.values(workflow).find(({ inputs }) => 'seed' in inputs)!;
      const ids = [1, 2, 3].map((mark) => {
        Object.assign(sampler.inputs, { seed: mark });
        extraData.extra_pnginfo.mark = mark;
        return mark === 3
          ? queue.addAll([{ workflow, extraData }]).then(([id = '']) => id)
          : queue.add(workflow, { extraData });
      });
      Object.assign(sampler.inputs, { seed: 9 });
      await work([0]);
      for (const id of await Promise.all(ids)) await lastValueFrom(queue.follow(id));
      const sent = engines[0]!.ledger.jobs.map(({ extraData: { extra_pnginfo: info } }) => info);
      expect(sent).toEqual([{ mark: 1 }, { mark: 2 }, { mark: 3 }]);
      const seeds = engines[0]!.requests
        .filter(({ method, url }) => method === 'POST' && url.endsWith('/prompt'))
        .map(({ body }) => /"seed": ?(\d+)/u.exec(String(body))?.[1]);
      expect(seeds).toEqual(['1', '2', '3']);
    });

    it('leaves a job of a dead worker to one that reaches its server', async () => {
      const { engines, queue, work } = await overServers(server(), 2);
      const first = await work([0]);
      const id = await queue.add(slow(40));
      await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
      await work([1]);
      // Its lock is over some time later: it neither renews it nor leaves the job.
      await first.close({ graceMs: 0 });
      const before = await firstValueFrom(
        queue.changes().pipe(filter((one) => one.type === 'job' && one.job.phase === 'waiting')),
      );
      expect(before).toMatchObject({ job: { server: 'engine-0' } });
      const other = await work([0]);
      const last = await lastValueFrom(queue.follow(id));
      expect([last.phase, ...engines.map(runs)]).toEqual(['completed', 1, 0]);
      await other.close();
    });

    it('gives a job only to a server with its tags, and fails one that no server can run with the reasons', async () => {
      const { queue, work, poolOf } = await overServers(server(), 2);
      await work([0]);
      await work([1], { pool: poolOf([1], { tags: ['big'] }) });
      const id = await queue.add(picture(), { tags: ['big'] });
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      const unheard = await queue.add({ '1': { class_type: 'Unheard', inputs: {} } }, { tags: ['big'] });
      const { phase, failure } = await lastValueFrom(queue.follow(unheard));
      expect([phase, failure?.exceptionType]).toEqual(['failed', 'InvalidWorkflow']);
      expect(failure?.exceptionMessage).toContain('engine-0: it lacks the tag big');
      expect(failure?.exceptionMessage).toContain('no class Unheard');
    });

    it('pauses, resumes and drains a server over Redis', async () => {
      const { queue, work } = await overServers(server(), 1);
      await work([0]);
      await firstValueFrom(queue.servers.pipe(filter((all) => all[0]?.health === 'up')));
      await queue.pauseServer('engine-0', 'it is cleaned');
      const id = await queue.add(picture());
      expect(await firstValueFrom(queue.servers)).toMatchObject([
        { name: 'engine-0', mode: 'paused', reason: 'it is cleaned' },
      ]);
      expect((await queue.stats()).waiting).toBe(1);
      await queue.resumeServer('engine-0');
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      await queue.drainServer('engine-0');
      await expect(queue.pauseServer('attic')).rejects.toMatchObject({
        _tag: 'InvalidConfig',
        hint: 'Its servers are engine-0.',
      });
    });

    it('has a job that its server lost, or that was away for too long, run elsewhere, on record', async () => {
      const { engines, queue, work } = await overServers(server(), 2);
      await work([0, 1], { rules: { giveUpAfterMs: 500 } });
      const id = await queue.add(slow(60_000));
      const job = await firstValueFrom(
        queue.changes().pipe(
          map((one) => (one.type === 'job' && one.job.phase === 'running' ? one.job : undefined)),
          filter((one) => one?.promptId !== undefined),
        ),
      );
      const index = job?.server === 'engine-0' ? 0 : 1;
      await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
      await engines[index]!.close();
      const again = await firstValueFrom(
        queue.changes().pipe(
          map((one) => (one.type === 'job' && one.job.attempt === 2 ? one.job : undefined)),
          filter((one) => one?.promptId !== undefined && one.server === `engine-${1 - index}`),
        ),
      );
      expect(again).toMatchObject({ id, attempt: 2, phase: 'running' });
      const anew = await firstValueFrom(
        queue.follow(id).pipe(filter(({ phase, attempt }) => attempt === 2 && phase === 'in_progress')),
      );
      expect(anew.server).toBe(`engine-${1 - index}`);
      const events = await firstValueFrom(
        queue.events(id).pipe(
          map(({ state: { phase, server, attempt } }) => [phase, server, attempt]),
          takeWhile(([phase, , attempt]) => attempt === 1 || phase !== 'in_progress', true),
          distinctUntilChanged((one, other) => String(one) === String(other)),
          toArray(),
        ),
      );
      expect(events.filter(([phase]) => phase !== 'pending')).toEqual([
        ['submitting', undefined, 1],
        ['in_progress', `engine-${index}`, 1],
        ['submitting', undefined, 2],
        ['in_progress', `engine-${1 - index}`, 2],
      ]);
      const { warnings } = await queue.state(id);
      expect(warnings.join()).toContain(`No worker has reached the server engine-${index} for 500 ms`);
      await queue.cancel(id);
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('cancelled');
    });

    it.each(['0.3.64', '0.6', 'latest'] as const)(
      'submits a job once more of which an engine of %s got nothing, and one whose answer was lost not',
      async (engine) => {
        const faults = [
          { on: 'http', route: 'POST /prompt', do: 'cut', phase: 'before', nth: 2 },
          { on: 'rest', route: 'POST /prompt', do: 'commit-then-cut', nth: 3 },
        ] as const;
        const { engines, queue, work } = await overServers(server(), 1, { engine, faults });
        await work([0], { rules: { deadlineMs: 1_000, lagMs: 0, lookEveryMs: 50 } });
        for (const workflow of [picture(), picture(), picture()]) {
          const id = await queue.add(workflow);
          expect(await lastValueFrom(queue.follow(id))).toMatchObject({ phase: 'completed', attempt: 1 });
        }
        expect(engines.map(runs)).toEqual([3]);
      },
    );

    it('tries a job that failed for memory once more, on a server with more, on record', async () => {
      const { engines, queue, work, poolOf } = await overServers(server(), 3);
      const pool = poolOf([0, 1, 2]);
      const gigabytes = new Map([
        ['engine-0', 8],
        ['engine-1', 24],
      ]);
      const servers = pool.servers.pipe(
        map((all) =>
          all.map((one) => {
            const total = (gigabytes.get(one.name) ?? 4) * 2 ** 30;
            return { ...one, memory: { total, free: total } };
          }),
        ),
      );
      await work([], { pool: { servers, client: pool.client } });
      await firstValueFrom(queue.servers.pipe(filter((all) => all.every(({ health }) => health === 'up'))));
      for (const name of ['engine-1', 'engine-2']) await queue.pauseServer(name);
      const id = await queue.add(failing('torch.OutOfMemoryError'));
      const waits = await firstValueFrom(
        queue.changes().pipe(
          map((one) => (one.type === 'job' && one.job.attempt === 2 ? one.job : undefined)),
          filter((one) => one?.phase === 'waiting'),
        ),
      );
      expect(waits).not.toHaveProperty('server');
      // The small one is not to have it, though it is free.
      await queue.resumeServer('engine-2');
      await queue.resumeServer('engine-1');
      const { phase, failure, warnings } = await lastValueFrom(queue.follow(id));
      expect([phase, failure?.exceptionType]).toEqual(['failed', 'torch.OutOfMemoryError']);
      expect(warnings.join()).toContain('engine-0 ran out of memory');
      expect(engines.map(runs)).toEqual([1, 1, 0]);
      const { value: listed } = await queue.list().next();
      expect(listed as unknown).toMatchObject({ id, server: 'engine-1', attempt: 2 });
      expect((await firstValueFrom(queue.servers)).map(({ failed, lost }) => [failed, lost])).toEqual([
        [1, 0],
        [1, 0],
        [0, 0],
      ]);
    });

    it('gives the server of a job its files, once by their hash, also after a takeover', async () => {
      const { engines, queue, work } = await overServers(server(), 2);
      const sent = () =>
        engines.map(
          ({ requests }) =>
            requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/upload/image')).length,
        );
      const content = new Uint8Array(PNG.sync.write(new PNG({ width: 8, height: 8 })));
      const file = await queue.upload({ content, filename: 'photo.png' });
      expect(file.name).toMatch(/^promptwire-[0-9a-f]{64}\.png$/u);
      expect(await queue.upload({ content: new Blob([content]), filename: 'again.png' })).toEqual(file);
      expect(new Uint8Array(await (await queue.viewUpload(file.name)).arrayBuffer())).toEqual(content);

      const first = await work([0]);
      const id = await queue.add(copyOf(file, 200));
      await firstValueFrom(queue.follow(id).pipe(reached('in_progress')));
      await first.close({ graceMs: 0 });
      const both = await work([0, 1]);
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      expect([...sent(), ...engines.map(runs)]).toEqual([1, 0, 1, 0]);

      await queue.pauseServer('engine-0');
      const more = await queue.addAll([copyOf(file, 1), copyOf(file, 2)].map((workflow) => ({ workflow })));
      for (const one of more) expect((await lastValueFrom(queue.follow(one))).phase).toBe('completed');
      expect(sent()).toEqual([1, 1]);
      await both.close();
    });

    it('gives a server its files again that was restarted with another disk', async () => {
      const { engines, queue, work } = await overServers(server(), 1);
      const [engine] = engines;
      const content = new Uint8Array(PNG.sync.write(new PNG({ width: 8, height: 8 })));
      const file = await queue.upload({ content, filename: 'photo.png' });
      await work([0]);
      const end = async (steps: number): Promise<string> =>
        (await lastValueFrom(queue.follow(await queue.add(copyOf(file, steps))))).phase;
      expect(await end(1)).toBe('completed');
      await restarted(engine!, 'nothing');
      expect(await end(2)).toBe('completed');
      const uploads = engine!.requests.filter(({ url }) => url.endsWith('/upload/image'));
      expect(uploads).toHaveLength(2);
    });

    it('generates with files of its own, and reads the results from the server of the job', async () => {
      const { engines, open, work, poolOf } = await overServers(server(), 2);
      const queue = open({ pool: poolOf([0, 1]) });
      await work([0, 1]);
      await firstValueFrom(queue.servers.pipe(filter((all) => all.every(({ health }) => health === 'up'))));
      const calls = (path: string) =>
        engines.map(({ requests }) => requests.filter(({ url }) => url.includes(path)).length);
      const image = (size: number) =>
        new Blob([new Uint8Array(PNG.sync.write(new PNG({ width: size, height: size })))]);
      const into = await mkdtemp(join(tmpdir(), 'generate-'));
      onTestFinished(() => rm(into, { recursive: true, force: true }));
      for (const [at, size] of [8, 16].entries()) {
        await queue.pauseServer(`engine-${1 - at}`);
        await queue.resumeServer(`engine-${at}`);
        const [file] = (
          await queue.generate(copyOf({ name: '', subfolder: '', type: 'input' }, 1), {
            ...{ inputs: { '1.image': image(size) }, into },
          })
        ).files;
        const bytes = Buffer.from(await file!.bytes());
        expect(PNG.sync.read(bytes).width).toBe(size);
        expect(await readFile(file!.path!)).toEqual(bytes);
        expect(calls('/upload/image')).toEqual([1, at]);
        expect(calls('/view').map((count) => count > 0)).toEqual([true, at === 1]);
      }
    });

    it('refuses a job that names a file which the queue has not got, and adds none of its call', async () => {
      const { queue } = await overServers(server(), 1);
      const name = `promptwire-${'0'.repeat(64)}.png`;
      const missing = { name, subfolder: '', type: 'input' };
      await expect(
        queue.addAll([{ workflow: picture() }, { workflow: copyOf(missing, 1) }]),
      ).rejects.toMatchObject({ _tag: 'NotFound', message: expect.stringContaining('Job 2 of 2') as string });
      expect((await queue.stats()).waiting).toBe(0);
      await expect(queue.viewUpload(name)).rejects.toMatchObject({ _tag: 'NotFound' });
    });

    it('leaves a job that failed for its own reason alone', async () => {
      const { engines, queue, work } = await overServers(server(), 2);
      await work([0, 1]);
      const id = await queue.add(failing('ValueError'));
      expect((await lastValueFrom(queue.follow(id))).phase).toBe('failed');
      expect(engines.map(runs).toSorted()).toEqual([0, 1]);
    });

    it.each([
      ['a tier', { tier: 3 }],
      ['an unknown kind', { over: 'engines' as never }],
      [
        'a pool beside an account',
        { over: 'account', pool: { servers: EMPTY, client: () => undefined as never } } as const,
      ],
    ])('refuses %s', async (_, options) => {
      expect(() =>
        createJobQueue({ connection: 'redis://127.0.0.1', name: 'x', over: 'servers', ...options }),
      ).toThrow(expect.objectContaining({ _tag: 'InvalidConfig' }) as Error);
      await Promise.resolve();
    });

    it('keeps the kind of a queue: a tier, a client, and a queue of an account are refused there', async () => {
      const { common, queue, open } = await overServers(server(), 1);
      await queue.stats();
      await expect(queue.setTier('pro')).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'tier' });
      await expect(open({ over: 'account' }).stats()).rejects.toMatchObject({ option: 'over' });
      await expect(open({ over: undefined, tier: 2 }).stats()).rejects.toMatchObject({ option: 'tier' });
      const account = open({ over: undefined, name: `${common.name}-account` });
      await expect(account.add(picture(), { tags: ['big'] })).rejects.toMatchObject({ option: 'tags' });
      await expect(firstValueFrom(account.servers)).rejects.toMatchObject({ _tag: 'NotSupported' });
      await account.add(picture());
      const late = open({ name: `${common.name}-account` });
      await expect(late.stats()).rejects.toMatchObject({ option: 'over' });
    });
  },
  { isDurable: true },
);
