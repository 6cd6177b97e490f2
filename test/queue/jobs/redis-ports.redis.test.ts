import { bearerTokens, createGateway, type Gateway } from '../../../src/gateway.js';
import { createJobQueue, createWorker, redisPorts } from '../../../src/queue.js';
import { emulated, picture, slow } from '../../helpers/emulated.js';
import { expect, it, onTestFinished } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator.js';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { describeRedis } from '../describe-redis.js';
import type { RedisServer } from '../../helpers/redis-server.js';
import { redisJobIndex } from '../../../src/server/queue/store/redis-job-index.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

let names = 0;

const tokens = { alice: 'token-of-alice-0123456789', bob: 'token-of-bob-0123456789ab' };

/** Gateways over one queue, each with connections of its own as in a process of its own, and one worker. */
const setUp = async (server: RedisServer, options: EmulatorOptions = {}) => {
  const { emulator, newClient } = await emulated(options);
  const connection = `redis://127.0.0.1:${server.port}`;
  const account = { connection, name: `gateway-${(names += 1)}` };
  const worker = createWorker({ ...account, client: newClient(), tier: 'creator' });
  onTestFinished(() => worker.close());
  const open = async (): Promise<Gateway> => {
    const queue = createJobQueue(account);
    const ports = await redisPorts(account);
    const gateway = createGateway({ queue, client: newClient(), authorize: bearerTokens(tokens), ...ports });
    onTestFinished(async () => {
      await gateway.close();
      await queue.close();
    });
    await gateway.ready;
    return gateway;
  };
  return { emulator, account, client: newClient(), open, one: await open(), two: await open() };
};

const ask = (
  gateway: Gateway,
  path: string,
  { as = 'alice', ...init }: RequestInit & { readonly as?: keyof typeof tokens } = {},
): Promise<Response> =>
  gateway.fetch(
    new Request(`http://gateway.test${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${tokens[as]}`,
        ...(init.headers as Record<string, string> | undefined),
      },
    }),
  );

const submit = (
  gateway: Gateway,
  workflow: Workflow,
  headers: Record<string, string> = {},
): Promise<Response> =>
  ask(gateway, '/api/v2/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ workflow }),
  });

const idOf = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { readonly id: string }).id;
};

interface Shown {
  readonly state: { readonly phase: string };
  readonly files: readonly { readonly url: string }[];
}

const shownBy = async (gateway: Gateway, id: string): Promise<Shown> =>
  (await (await ask(gateway, `/jobs/${id}`)).json()) as Shown;

describeRedis(
  (server) => {
    it('serves a job of another process: its document, stream, outputs and key; to its owner only', async () => {
      const { emulator, one, two } = await setUp(server());
      const workflow = picture();
      const key = { 'idempotency-key': 'a-key-of-alice' };
      const id = await idOf(await submit(one, workflow, key));
      const stream = await ask(two, `/jobs/${id}/events`);
      const read = await stream.text();
      expect(read).toContain('event: status');
      expect(read).toContain('completed');
      const { state, files } = await shownBy(two, id);
      expect(state.phase).toBe('completed');
      const [file] = files;
      const output = await ask(two, new URL(file?.url ?? '').pathname);
      expect(output.status).toBe(200);
      expect((await output.arrayBuffer()).byteLength).toBeGreaterThan(0);
      expect((await ask(two, `/jobs/${id}`, { as: 'bob' })).status).toBe(404);
      expect((await submit(two, workflow, key)).status).toBe(422);
      const again = await submit(two, workflow, { ...key, 'idempotency-replay': 'true' });
      expect(await idOf(again)).toBe(id);
      expect(emulator.ledger.jobs).toHaveLength(1);
      expect((await ask(two, '/readyz')).status).toBe(200);
    });

    it('cancels a job of another process, and goes on with the jobs of one that ends', async () => {
      const { open, one, two } = await setUp(server(), { speed: 5 });
      const ids = [await idOf(await submit(one, slow(60))), await idOf(await submit(one, slow()))];
      const phase = async (id = ''): Promise<string> => (await shownBy(two, id)).state.phase;
      await expect.poll(() => phase(ids[1]), { timeout: 20_000 }).toBe('in_progress');
      expect((await ask(two, `/jobs/${ids[1] ?? ''}/cancel`, { method: 'POST' })).status).toBe(200);
      await expect.poll(() => phase(ids[1]), { timeout: 20_000 }).toBe('cancelled');
      await one.close();
      await expect.poll(() => phase(ids[0]), { timeout: 60_000 }).toBe('completed');
      expect((await shownBy(await open(), ids[0] ?? '')).state.phase).toBe('completed');
    });

    it('hands the newest preview of a job to every process and to those who follow the queue', async () => {
      const { account, one, two } = await setUp(server(), { speed: 2 });
      const id = await idOf(await submit(one, picture(200)));
      const shown = async (gateway: Gateway): Promise<string | null> => {
        const answer = await ask(gateway, `/jobs/${id}/previews/3`);
        return answer.status === 200 ? answer.headers.get('content-type') : null;
      };
      for (const gateway of [one, two]) {
        await expect.poll(() => shown(gateway), { timeout: 20_000 }).toMatch(/^image\//u);
      }
      const queue = createJobQueue(account);
      onTestFinished(() => queue.close());
      const { value } = await queue.list()[Symbol.asyncIterator]().next();
      const preview = await firstValueFrom(queue.previews(value?.id ?? ''));
      expect(preview.image.byteLength).toBeGreaterThan(0);
      expect(preview.mediaType).toMatch(/^image\//u);
      await queue.cancel(value?.id ?? '');
    });

    it('has one log with its queue: a reader goes on from either to the other by the same ids', async () => {
      const { account, one } = await setUp(server());
      const id = await idOf(await submit(one, picture()));
      const queue = createJobQueue(account);
      onTestFinished(() => queue.close());
      const logged = await lastValueFrom(queue.events(id).pipe(toArray()));
      await expect.poll(async () => (await shownBy(one, id)).state.phase).toBe('completed');
      const sentAfter = async (after: string): Promise<readonly string[]> => {
        const headers = { 'last-event-id': after, accept: 'application/x-ndjson' };
        const text = await (await ask(one, `/jobs/${id}/events`, { headers })).text();
        return text
          .split('\n')
          .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { id: string }).id));
      };
      const ids = logged.map((event) => event.id);
      expect(ids.length).toBeGreaterThan(3);
      // The queue's id of an event at the gateway, and the gateway's at the queue.
      const sent = await sentAfter(ids[0] ?? '');
      expect(sent).toEqual(ids.slice(1));
      const rest = await lastValueFrom(queue.events(id, { after: sent[1] }).pipe(toArray()));
      expect(rest.map((event) => event.id)).toEqual(ids.slice(3));
      // So is the id of a snapshot, which may be that of an event of another job.
      const other = await idOf(await submit(one, picture()));
      await lastValueFrom(queue.events(other));
      const all = await ask(one, '/events', { headers: { accept: 'application/x-ndjson' } });
      const [snapshot = ''] = new TextDecoder()
        .decode((await all.body?.getReader().read())?.value)
        .split('\n');
      const { id: position } = JSON.parse(snapshot) as { readonly id: string };
      expect(position).toContain('~');
      const last = await lastValueFrom(queue.follow(id, { after: position }).pipe(toArray()));
      expect(last.map(({ phase }) => phase)).toEqual(['completed']);
      const own = `{promptwire:${account.name}:gateway}:`;
      expect(await server().connect().keys(`${own}events*`)).toEqual([]);
    });

    it('goes on from the log that it kept before: ids of either one resume, and its open jobs come to their ends', async () => {
      const { account, one, client } = await setUp(server(), { speed: 20 });
      await one.close();
      const before = async (): Promise<Gateway> => {
        const own = createJobQueue(account);
        onTestFinished(() => own.close());
        const { add, follow, previews, cancel, stats } = own;
        const queue = { add, follow, previews, cancel, stats };
        const ports = await redisPorts(account);
        return createGateway({ queue, client, authorize: bearerTokens(tokens), ...ports });
      };
      const former = await before();
      const ended = await idOf(await submit(former, picture()));
      await expect
        .poll(async () => (await shownBy(former, ended)).state.phase, { timeout: 20_000 })
        .toBe('completed');
      const open = await idOf(await submit(former, picture(200)));
      await expect
        .poll(async () => (await shownBy(former, open)).state.phase, { timeout: 20_000 })
        .toBe('in_progress');
      const all = await ask(former, '/events?from=start', { headers: { accept: 'application/x-ndjson' } });
      const read = new TextDecoder().decode((await all.body?.getReader().read())?.value).split('\n');
      const [first = ''] = read.map((line) => (line === '' ? '' : (JSON.parse(line) as { id: string }).id));
      await former.close();
      const queue = createJobQueue(account);
      onTestFinished(() => queue.close());
      const present = createGateway({
        ...{ queue, client, authorize: bearerTokens(tokens) },
        ...(await redisPorts(account)),
      });
      onTestFinished(() => present.close());
      const next = await idOf(await submit(present, picture()));
      for (const id of [open, next]) {
        await expect
          .poll(async () => (await shownBy(present, id)).state.phase, { timeout: 30_000 })
          .toBe('completed');
      }
      const headers = { 'last-event-id': first, accept: 'application/x-ndjson' };
      const resumed = await ask(present, '/events', { headers });
      const reader = resumed.body?.getReader();
      let text = '';
      while (text.match(/"completed"/gu)?.length !== 3)
        text += new TextDecoder().decode((await reader?.read())?.value);
      await reader?.cancel();
      expect(text).not.toContain('"gap"');
      const jobs = text.split('\n').flatMap((line) => {
        const one = line === '' ? undefined : (JSON.parse(line) as { event: string; data: { job: string } });
        return one?.event === 'submitted' ? [one.data.job] : [];
      });
      expect(jobs).toEqual([open, next]);
    });

    it('keeps records and keys of jobs for several processes, within its bounds', async () => {
      const open = (name: string) => redisJobIndex({ redis: server().connect(), name, maxJobs: 2 });
      const [index, other] = [open('index'), open('index')];
      const record = (id: string, key?: string) => ({
        ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 10, submissionId: `s-${id}` },
        workflow: { 1: { class_type: 'A', inputs: { seed: 2n ** 60n } } } as unknown as Workflow,
        ...(key !== undefined && { key }),
      });
      const added = await Promise.all(
        ['b', 'c', 'd', 'e'].map((id) => index.add(record(id, 'k'), { process: 'p', forMs: 60_000 })),
      );
      expect(added.map(({ _tag }) => _tag)).toEqual(['added', 'keyUsed', 'keyUsed', 'keyUsed']);
      expect(await other.add(record('f', 'k'))).toEqual({ _tag: 'keyUsed', existing: record('b', 'k') });
      await other.update('b', { promptId: 'x', cancelRequestedAt: 3 });
      expect(await index.get('b')).toEqual({ ...record('b', 'k'), promptId: 'x', cancelRequestedAt: 3 });
      await index.add(record('g'));
      expect(await index.add(record('h'))).toMatchObject({ _tag: 'full' });
      expect((await index.list('alice', { limit: 5 })).map(({ id }) => id)).toEqual(['g', 'b']);
      expect((await index.list(undefined, { limit: 5, after: 'g' })).map(({ id }) => id)).toEqual(['b']);
      expect(await index.list('bob', { limit: 5 })).toEqual([]);
      const lease = { process: 'q', forMs: 60_000 };
      expect((await other.leases?.acquire(lease))?.map(({ id }) => id)).toEqual(['g']);
      expect(await other.leases?.renew(['b', 'g', 'unheard of'], lease)).toEqual(['b', 'unheard of']);
      await index.leases?.renew(['b'], { process: 'p', forMs: 0 });
      expect((await other.leases?.acquire(lease))?.map(({ id }) => id)).toEqual(['b']);
      await index.update('b', { ended: { phase: 'completed', at: 5 }, expiresAt: 20 });
      expect(await index.add(record('h'))).toMatchObject({ _tag: 'added', evicted: [{ id: 'b' }] });
      await index.remove('g');
      await index.update('h', { ended: { phase: 'failed', at: 5 } });
      expect(await index.expire(9)).toEqual([]);
      expect(await index.expire(10)).toMatchObject([{ id: 'h', ended: { phase: 'failed', at: 5 } }]);
      expect(await index.list(undefined, { limit: 5 })).toEqual([]);
      expect(await server().connect().get('{promptwire:index}:bytes')).toBe('0');
    });
  },
  { isDurable: true },
);
