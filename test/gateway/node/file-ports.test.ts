import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cp, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { filePorts } from '../../../src/gateway/node/file-ports.js';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { alice, life, playedGateway, playedService, submitted, workflow } from '../support.js';

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-ports-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const record = (id: string, key?: string) => ({
  id,
  owner: 'alice',
  client: 'default',
  createdAt: 1,
  expiresAt: 10,
  workflow: { 1: { class_type: 'A', inputs: { seed: 2n ** 64n - 1n } } },
  submissionId: `s-${id}`,
  ...(key !== undefined && { key }),
});

/** Does the same so many times, some of it at once. */
const together = async (times: number, work: (nth: number) => Promise<void>): Promise<void> => {
  for (let from = 0; from < times; from += 50)
    await Promise.all(Array.from({ length: Math.min(50, times - from) }, (_, nth) => work(from + nth)));
};

const cancelled = (at: number) => ({ type: 'cancelRequested', at }) as const;

describe('filePorts', () => {
  it('keeps jobs, keys and events over a restart', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder);
    await first.index.add(record('a', 'k'));
    await first.index.update('a', { promptId: 'p' });
    await first.index.add(record('b', 'l'));
    await first.index.remove('b');
    const ids = await first.log.append('alice', 'a', [cancelled(1), cancelled(2)]);
    await first.close();

    const { index, log, close } = await filePorts(folder, { sync: false });
    expect(await index.get('a')).toEqual({ ...record('a', 'k'), promptId: 'p' });
    expect(await index.add(record('c', 'k'))).toMatchObject({ _tag: 'keyUsed', existing: { id: 'a' } });
    expect(await index.add(record('c', 'l'))).toMatchObject({ _tag: 'added' });
    expect(await log.position('alice')).toBe(ids[1]);
    expect((await log.read({ owner: 'alice' }, ids[0], 10)).events.map(({ id }) => id)).toEqual([ids[1]]);
    await close();
  });

  it('keeps assets over a restart until they expire, and writes their file anew', async () => {
    const folder = await newFolder();
    const asset = (id: string, expiresAt?: number) => ({
      ...{ id, owner: 'alice', client: 'default', hash: 'blake3:a', sizeBytes: 3, contentType: 'image/png' },
      ...{ createdAt: 1, stored: { name: `${id}.png`, subfolder: '', type: 'input' } },
      ...(expiresAt !== undefined && { expiresAt }),
    });
    const first = await filePorts(folder, { now: () => 5 });
    await first.assets.put(asset('a'));
    await first.assets.put(asset('b', 10));
    await first.assets.put(asset('c'));
    await first.assets.remove('bob', 'a');
    await first.assets.remove('alice', 'c');
    await Promise.all(Array.from({ length: 1_500 }, (_, at) => first.assets.put(asset('b', 11 + at))));
    await first.assets.put(asset('b', 10));
    await first.close();
    expect((await readFile(join(folder, 'assets.jsonl'), 'utf8')).split('\n').length).toBeLessThan(1_000);

    const { assets, close } = await filePorts(folder, { now: () => 9 });
    expect((await assets.byHash('alice', 'blake3:a')).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await assets.get('alice', 'a')).toEqual(asset('a'));
    expect([await assets.get('bob', 'a'), await assets.get('alice', 'c')]).toEqual([undefined, undefined]);
    await close();
    const later = await filePorts(folder, { now: () => 10 });
    expect(await later.assets.get('alice', 'b')).toBeUndefined();
    await later.close();
  });

  it('takes files that a crash has cut in their last lines', async () => {
    const folder = await newFolder();
    const whole = await filePorts(folder, { sync: false });
    await whole.index.add(record('a'));
    await whole.index.add(record('b'));
    await whole.log.append('alice', 'a', [cancelled(1)]);
    await whole.log.append('alice', 'a', [cancelled(2)]);
    await whole.close();
    for (const name of ['jobs.jsonl', 'events.jsonl']) {
      const bytes = await readFile(join(folder, name));
      const start = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
      for (const end of [start, start + 1, bytes.length - 1]) {
        await writeFile(join(folder, name), bytes.subarray(0, end));
        const { index, log, close } = await filePorts(folder, { sync: false });
        const jobs = (await index.list('alice', { limit: 9 })).map(({ id }) => id);
        const { events } = await log.read({ owner: 'alice', jobId: 'a' }, undefined, 9);
        expect([jobs, events.length]).toEqual(name === 'jobs.jsonl' ? [['a'], 2] : [['b', 'a'], 1]);
        await close();
        expect((await readFile(join(folder, name))).length).toBe(start);
      }
      await writeFile(join(folder, name), bytes);
    }
  });

  it('gives a folder back whose files are not its own, and keeps none of them open', async () => {
    const folder = await newFolder();
    await (await filePorts(folder, { sync: false })).close();
    await writeFile(join(folder, 'webhooks.jsonl'), 'no json\n');
    const file = await open(join(folder, 'jobs.jsonl'));
    const prototype = Object.getPrototypeOf(file) as typeof file;
    await file.close();
    const read = vi.spyOn(prototype, 'readFile');
    await expect(filePorts(folder, { sync: false })).rejects.toThrow();
    // Those of jobs, events, assets and webhooks; one that is closed has no number.
    expect(read.mock.contexts.map((one) => (one as typeof file).fd)).toEqual([-1, -1, -1, -1]);
    expect((await readdir(folder)).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  it('writes its files anew once most lines are outdated, and loses nothing', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder, { sync: false });
    await first.index.add(record('a', 'k'));
    for (let at = 0; at < 1_500; at += 1) await first.index.update('a', { cancelRequestedAt: at });
    expect((await readFile(join(folder, 'jobs.jsonl'), 'utf8')).split('\n').length).toBeLessThan(1_000);
    for (let job = 0; job < 1_200; job += 1) {
      await first.log.append('alice', `j${job}`, [cancelled(job)]);
      if (job < 1_100) await first.log.expire('alice', `j${job}`);
    }
    const position = await first.log.position('alice');
    await first.close();
    const second = await filePorts(folder);
    expect(await second.index.get('a')).toMatchObject({ cancelRequestedAt: 1_499 });
    expect(await second.log.position('alice')).toBe(position);
    expect((await second.log.read({ owner: 'alice', jobId: 'j1199' }, undefined, 9)).events).toHaveLength(1);
    await second.close();
  });

  it.each(['forgotten', 'evicted'] as const)(
    'writes the file of events anew while they are %s',
    async (way) => {
      const folder = await newFolder();
      const ports = await filePorts(folder, { sync: false, maxEvents: 10 });
      await together(1_500, async (job) => {
        const id = way === 'forgotten' ? `j${job}` : `j${job % 5}`;
        await ports.log.append('alice', id, [cancelled(job)]);
        if (way === 'forgotten') await ports.log.expire('alice', id);
      });
      expect((await readFile(join(folder, 'events.jsonl'), 'utf8')).split('\n').length).toBeLessThan(1_010);
      await ports.close();
    },
  );

  it('knows of a job that goes on which of its events are gone, also once the file was written anew', async () => {
    const folder = await newFolder();
    const options = { sync: false, maxEvents: 10 };
    const first = await filePorts(folder, options);
    const ids: string[] = [];
    // Of eleven events of one job the first ten go to make room, again and again.
    await together(1_500, async (at) => {
      ids.push(...(await first.log.append('alice', 'long', [cancelled(at)])));
    });
    const scope = { owner: 'alice', jobId: 'long' };
    const gaps = async ({ log }: typeof first) => [
      (await log.read(scope, undefined, 99)).gap,
      (await log.read({ owner: 'alice' }, undefined, 99)).gap,
      (await log.read(scope, ids[600], 99)).gap,
      (await log.read(scope, ids.at(-2), 99)).events.map(({ id }) => id === ids.at(-1)),
    ];
    const expected = [true, true, true, [true]];
    expect(await gaps(first)).toEqual(expected);
    await first.close();
    const second = await filePorts(folder, options);
    expect(await gaps(second)).toEqual(expected);
    await second.close();
  });

  it('keeps the keys of forgotten jobs when it writes the file of jobs anew', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder, { sync: false });
    await first.index.add(record('a', 'k'));
    await first.index.update('a', { ended: { phase: 'completed', at: 2 } });
    expect(await first.index.expire(20)).toHaveLength(1);
    await first.index.add(record('b', 'l'));
    await together(1_100, (at) => first.index.update('b', { cancelRequestedAt: at }));
    expect((await readFile(join(folder, 'jobs.jsonl'), 'utf8')).split('\n').length).toBeLessThan(200);
    await first.close();
    const second = await filePorts(folder, { sync: false });
    expect(await second.index.add(record('c', 'k'))).toEqual({ _tag: 'keyUsed' });
    expect(await second.index.add(record('c', 'l'))).toMatchObject({
      _tag: 'keyUsed',
      existing: { id: 'b' },
    });
    await second.index.expire(25 * 60 * 60 * 1_000);
    expect(await second.index.add(record('c', 'k'))).toMatchObject({ _tag: 'added' });
    await second.close();
  });

  it('takes a change back that the disk did not take', async () => {
    const folder = await newFolder();
    const { index, log, assets, webhookStore, close } = await filePorts(folder);
    const asset = {
      ...{ id: 'a', owner: 'alice', client: 'default', sizeBytes: 3, contentType: 'image/png' },
      ...{ createdAt: 1, stored: { name: 'a.png', subfolder: '', type: 'input' } },
    };
    const hook = {
      ...{
        owner: 'alice',
        url: 'https://target.example/',
        events: [],
        secrets: ['s'],
        createdAt: 1,
        from: '',
      },
    };
    await index.add(record('a', 'k'));
    await assets.put(asset);
    await webhookStore.put(hook);
    const [first] = await log.append('alice', 'a', [cancelled(1)]);

    const file = await open(join(folder, 'jobs.jsonl'));
    const prototype = Object.getPrototypeOf(file) as typeof file;
    await file.close();
    const broken = vi.spyOn(prototype, 'datasync').mockRejectedValue(new Error('The disk is full.'));
    const refused = async (change: Promise<unknown>) =>
      expect(await change.catch((error: unknown) => String(error))).toBe('Error: The disk is full.');
    await refused(index.add(record('b', 'l')));
    await refused(index.remove('a'));
    await refused(assets.put({ ...asset, sizeBytes: 4 }));
    await refused(assets.put({ ...asset, id: 'b' }));
    await refused(assets.remove('alice', 'a'));
    await refused(webhookStore.put({ ...hook, url: 'https://other.example/' }));
    await refused(webhookStore.put({ ...hook, owner: 'bob' }));
    await refused(log.append('alice', 'a', [cancelled(2), cancelled(3)]));
    broken.mockRestore();

    const all = async (ports: Awaited<ReturnType<typeof filePorts>>) => ({
      jobs: (await ports.index.list(undefined, { limit: 9 })).map(({ id }) => id),
      assets: [await ports.assets.get('alice', 'a'), await ports.assets.get('alice', 'b')],
      hooks: (await ports.webhookStore.all()).map((one) => one.record),
      events: (await ports.log.read({ owner: 'alice' }, undefined, 9)).events.map(({ id }) => id),
    });
    const expected = { jobs: ['a'], assets: [asset, undefined], hooks: [hook], events: [first] };
    expect(await all({ index, log, assets, webhookStore, close })).toEqual(expected);
    // What was half written stands before nothing else, and a number is not given twice.
    const [next] = await log.append('alice', 'a', [cancelled(4)]);
    expect(next).toMatch(/-4$/u);
    expect(await index.add(record('b', 'l'))).toMatchObject({ _tag: 'added' });
    await close();
    const again = await filePorts(folder, { sync: false });
    expect(await all(again)).toEqual({ ...expected, jobs: ['b', 'a'], events: [first, next] });
    await again.close();
  });

  it('gives a folder to one process alone', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder);
    await expect(filePorts(folder)).rejects.toMatchObject({
      _tag: 'InvalidConfig',
      message: expect.stringContaining('has the folder') as string,
    });
    await first.close();
    await (await filePorts(folder)).close();
  });

  it('goes on with the jobs of a gateway that was killed, and submits none again', async () => {
    const folder = await newFolder();
    const ports = await filePorts(folder);
    const service = playedService();
    const first = await playedGateway(ports, service);
    const { record: known } = await submitted(first);
    await first.jobs.submit(alice, { workflow, key: 'k' });
    // What the disk has is all that is left.
    const copy = await newFolder();
    await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('lock') });
    const rest = await filePorts(copy);
    const second = await playedGateway(rest, service);
    const states = life('p1');
    const ended = new Promise<void>((resolve) => {
      const poll = async (): Promise<void> => {
        const job = await second.jobs.get(alice, known.id);
        if (job?.record.ended === undefined) setImmediate(() => void poll());
        else resolve();
      };
      void poll();
    });
    for (const state of states) service.jobs[0]!.move(state);
    await ended;
    expect((await second.jobs.get(alice, known.id))?.state).toEqual(states.at(-1));
    expect(await second.jobs.submit(alice, { workflow, key: 'k' })).toEqual({ _tag: 'keyUsed' });
    expect(service.submitted).toHaveLength(2);
    await second.jobs.close();
    await first.jobs.close();
  });
});
