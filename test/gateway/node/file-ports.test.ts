import { describe, expect, it, onTestFinished } from 'vitest';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

  it('takes a file that a crash has cut at any byte of its last line', async () => {
    const folder = await newFolder();
    const whole = await filePorts(folder);
    await whole.index.add(record('a'));
    await whole.index.add(record('b'));
    await whole.log.append('alice', 'a', [cancelled(1)]);
    await whole.log.append('alice', 'a', [cancelled(2)]);
    await whole.close();
    for (const name of ['jobs.jsonl', 'events.jsonl']) {
      const bytes = await readFile(join(folder, name));
      const start = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
      for (let end = start; end < bytes.length; end += 1) {
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

  it('gives a folder to one process alone, and takes it over from one that was killed', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder);
    await expect(filePorts(folder)).rejects.toMatchObject({
      _tag: 'InvalidConfig',
      message: expect.stringContaining('has the folder') as string,
    });
    await first.close();
    const leaveLock = async (pid: number): Promise<void> => {
      await mkdir(join(folder, 'lock'));
      await writeFile(join(folder, 'lock', `${pid}-1-left`), '');
    };
    await leaveLock(999_999_999);
    await (await filePorts(folder)).close();
    for (let round = 0; round < 50; round += 1) {
      await leaveLock(process.pid);
      const takers = await Promise.allSettled(Array.from({ length: 8 }, () => filePorts(folder)));
      const holders = takers.filter((taker) => taker.status === 'fulfilled');
      expect(holders).toHaveLength(1);
      await holders[0]?.value.close();
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('lock'))).toEqual([]);
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
