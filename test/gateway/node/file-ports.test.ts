import { alice, life, playedGateway, playedService, submitted, workflow } from '../support.js';
import { ClassicLevel } from 'classic-level';
import { cp, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { filePorts } from '../../../src/server/gateway/node/file-ports.js';
import { join } from 'node:path';
import { loadClassicLevel } from '../../../src/server/gateway/node/load-classic-level.js';
import { newFolder } from './ports-in-a-folder.js';
import { storedText } from '../../../src/server/gateway/store/stored-value.js';

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

/** Puts a text into the store of a folder that no gateway has. */
const plant = async (folder: string, key: string, text: string): Promise<void> => {
  const level = new ClassicLevel(join(folder, 'store'));
  await level.put(key, text);
  await level.close();
};

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

  it('K1: has what it confirms wait for the disk, unless it is told not to', async () => {
    const batch = vi.spyOn(ClassicLevel.prototype, 'batch');
    const synced = () => batch.mock.calls.slice(-1).map((call) => (call as unknown[])[1]);
    const safe = await filePorts(await newFolder());
    await safe.index.add(record('a'));
    expect(synced()).toEqual([{ sync: true }]);
    await safe.log.append('alice', 'a', [cancelled(1)]);
    expect(synced()).toEqual([{ sync: true }]);
    await safe.close();
    const quick = await filePorts(await newFolder(), { sync: false });
    await quick.index.add(record('a'));
    expect(synced()).toEqual([{ sync: false }]);
    await quick.close();
  });

  it('knows of a job that goes on which of its events are gone, also after a restart', async () => {
    const folder = await newFolder();
    const options = { sync: false, maxEvents: 10 };
    const first = await filePorts(folder, options);
    const ids: string[] = [];
    // Of eleven events of one job the first ten go to make room, again and again.
    for (let at = 0; at < 100; at += 1)
      ids.push(...(await first.log.append('alice', 'long', [cancelled(at)])));
    const scope = { owner: 'alice', jobId: 'long' };
    const gaps = async ({ log }: typeof first) => [
      (await log.read(scope, undefined, 99)).gap,
      (await log.read({ owner: 'alice' }, undefined, 99)).gap,
      (await log.read(scope, ids[60], 99)).gap,
      (await log.read(scope, ids.at(-2), 99)).events.map(({ id }) => id === ids.at(-1)),
    ];
    const expected = [true, true, true, [true]];
    expect(await gaps(first)).toEqual(expected);
    await first.close();
    const second = await filePorts(folder, options);
    expect(await gaps(second)).toEqual(expected);
    await second.close();
  });

  it('K1: keeps the keys of forgotten jobs for a day, over restarts', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder, { sync: false });
    await first.index.add(record('a', 'k'));
    await first.index.update('a', { ended: { phase: 'completed', at: 2 } });
    expect(await first.index.expire(20)).toHaveLength(1);
    await first.index.add(record('b', 'l'));
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

  it('K4: gives a folder to one gateway alone, and says which folder it is', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder);
    await expect(filePorts(folder)).rejects.toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'folder' },
      message: `Another gateway has the folder ${folder}: two can't share one.`,
    });
    await first.close();
    await (await filePorts(folder)).close();
  });

  it('lets no other user read what it keeps', async () => {
    const folder = join(await newFolder(), 'own');
    await (await filePorts(folder)).close();
    for (const path of [folder, join(folder, 'store')]) expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it('K5: refuses the files of an older version, and names the version that reads them', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'jobs.jsonl'), '');
    await expect(filePorts(folder)).rejects.toMatchObject({
      _tag: 'InvalidConfig',
      message: expect.stringContaining('promptwire 0.1.0 (jobs.jsonl)') as string,
    });
  });

  it('K5: refuses a store of another format, and leaves it as it is', async () => {
    const folder = await newFolder();
    await (await filePorts(folder)).close();
    await plant(folder, 'format', storedText('format', 2));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(filePorts(folder)).rejects.toMatchObject({
        _tag: 'InvalidConfig',
        message: 'The store has the format 2, and this version of promptwire reads the format 1.',
      });
    }
  });

  it('K5: says what to install where classic-level is missing', async () => {
    const cause = new Error('Cannot find package');
    await expect(loadClassicLevel(() => Promise.reject(cause))).rejects.toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'folder', cause },
      message: expect.stringContaining('classic-level') as string,
      hint: expect.stringContaining('npm install classic-level@3') as string,
    });
  });

  it('K3: tells of each entry that can’t be read once, and counts them', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder, { sync: false });
    for (const owner of ['alice', 'bob']) {
      await first.index.add({ ...record(owner), owner });
      await first.log.append(owner, owner, [cancelled(1), cancelled(2), cancelled(3)]);
    }
    expect(first.index.damaged?.()).toBe(0);
    await first.close();
    // The start reads no event of a log that agrees with itself.
    for (const owner of ['alice', 'bob']) await plant(folder, `event!${owner}!0000000000000002`, 'x');
    const told: string[] = [];
    const { index, log, close } = await filePorts(folder, { onDamage: (message) => told.push(message) });
    expect([told, index.damaged?.()]).toEqual([[], 0]);
    for (let round = 0; round < 3; round += 1)
      for (const owner of ['alice', 'bob']) expect((await log.read({ owner }, undefined, 9)).gap).toBe(true);
    const entries = ['alice', 'bob'].map((owner) => `The entry event!${owner}!0000000000000002`);
    expect(told).toEqual(entries.map((entry) => `${entry} can't be read or is missing.`));
    expect(index.damaged?.()).toBe(2);
    await close();
  });

  it('K3: counts also what it does not tell anyone', async () => {
    const folder = await newFolder();
    await (await filePorts(folder, { sync: false })).close();
    await plant(folder, 'webhook!alice', 'no value');
    const { index, close } = await filePorts(folder);
    expect(index.damaged?.()).toBe(1);
    await close();
  });

  it('gives the folder back by the close of each port, and of several of them', async () => {
    const folder = await newFolder();
    for (const name of ['index', 'log', 'assets', 'webhookStore', 'templateStore'] as const) {
      const { [name]: port, close } = await filePorts(folder, { sync: false });
      await port.close!();
      await Promise.all([close(), port.close!()]);
    }
    await (await filePorts(folder)).close();
  });

  it('K2: says with an error of the file system that a folder can’t be made', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'file'), '');
    await expect(filePorts(join(folder, 'file'))).rejects.toMatchObject({ _tag: 'FileSystem' });
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
    await cp(folder, copy, { recursive: true });
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
