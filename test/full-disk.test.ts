// Beside the other files of the gateway's tests, which share loaded modules, the file system could not be replaced.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as FileSystem from 'node:fs/promises';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { filePorts } from '../src/gateway/node/file-ports.js';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

const disk = vi.hoisted(() => ({ isFull: false, isFullForNew: false, largest: 0 }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>();
  const open: typeof FileSystem.open = async (...args) => {
    const file = await real.open(...args);
    const append = file.appendFile.bind(file);
    file.appendFile = async (data: string) => {
      disk.largest = Math.max(disk.largest, data.length);
      if (!disk.isFull && !(disk.isFullForNew && String(args[0]).endsWith('.new'))) return append(data);
      await append(data.slice(0, 5));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    return file;
  };
  return { ...real, open };
});

const fullWhile = async <A>(work: () => Promise<A>): Promise<A> => {
  disk.isFull = true;
  try {
    return await work();
  } finally {
    disk.isFull = false;
  }
};

const openedPorts = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-full-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = await filePorts(folder, { sync: false });
  const again = async () => {
    await first.close();
    return filePorts(folder, { sync: false });
  };
  return { ...first, folder, again };
};

const record = (id: string, text = '') => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 10, submissionId: `s-${id}` },
  workflow: { 1: { class_type: 'A', inputs: { text } } },
});
const noted = (at: number) => ({ type: 'cancelRequested', at }) as const;

describe('filePorts on a disk that is full for a while', () => {
  it('keep no event that was not written, and take it once when it is appended again', async () => {
    const { log, again } = await openedPorts();
    await expect(fullWhile(() => log.append('alice', 'a', [noted(1), noted(2)]))).rejects.toThrow('no space');
    await expect(fullWhile(() => log.append('bob', 'b', [noted(1)]))).rejects.toThrow('no space');
    expect(await log.read({ owner: 'alice', jobId: 'a' }, undefined, 10)).toMatchObject({ events: [] });
    expect(await log.read({ owner: 'alice' }, undefined, 10)).toEqual({ events: [], gap: false });
    const ids = await log.append('alice', 'a', [noted(1), noted(2)]);
    const kept = { events: ids.map((id, at) => ({ id, jobId: 'a', event: noted(at + 1) })), gap: false };
    const read = await log.read({ owner: 'alice' }, undefined, 10);
    expect(read.events).toMatchObject(kept.events);
    const second = await again();
    expect(await second.log.position('alice')).toBe(ids[1]);
    expect((await second.log.read({ owner: 'alice' }, ids[0], 10)).events).toMatchObject([kept.events[1]]);
    await second.close();
  });

  it('still have what could not be removed, and forget what is past its time', async () => {
    const { index, assets, again } = await openedPorts();
    const asset = {
      ...{ id: 'u', owner: 'alice', client: 'default', hash: 'h', sizeBytes: 3, contentType: 'image/png' },
      ...{ createdAt: 1, stored: { name: 'u.png', subfolder: '', type: 'input' } },
    };
    await index.add(record('a'));
    await index.add(record('b'));
    await assets.put(asset);
    await expect(fullWhile(() => index.remove('a'))).rejects.toThrow('no space');
    await expect(fullWhile(() => assets.remove('alice', 'u'))).rejects.toThrow('no space');
    expect(await index.get('a')).toEqual(record('a'));
    expect(await assets.get('alice', 'u')).toEqual(asset);
    await index.update('b', { ended: { phase: 'completed', at: 5 } });
    expect((await fullWhile(() => index.expire(20))).map(({ id }) => id)).toEqual(['b']);
    const second = await again();
    expect(await second.index.get('a')).toEqual(record('a'));
    expect(await second.assets.get('alice', 'u')).toEqual(asset);
    expect((await second.index.expire(20)).map(({ id }) => id)).toEqual(['b']);
    await second.close();
  });

  it('write a file anew in pieces, and leave no piece of it where the disk is full', async () => {
    const { index, folder, again } = await openedPorts();
    const text = 'x'.repeat(20_000);
    for (let count = 0; count < 240; count += 1) await index.add(record(`r${count}`, text));
    const lines = async () => (await readFile(join(folder, 'jobs.jsonl'), 'utf8')).split('\n').length - 1;
    disk.isFullForNew = true;
    for (let count = 0; count < 800; count += 1) await index.update('r1', { expiresAt: count });
    expect(await lines()).toBe(1_040);
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
    disk.isFullForNew = false;
    disk.largest = 0;
    // It is tried again once the file has grown by a thousand lines.
    for (let count = 0; count < 959; count += 1) await index.update('r1', { expiresAt: count });
    expect(await lines()).toBe(1_999);
    await index.update('r1', { expiresAt: 1_000 });
    expect(await lines()).toBe(240);
    expect(disk.largest).toBeGreaterThan(100_000);
    expect(disk.largest).toBeLessThan(1_200_000);
    const second = await again();
    expect((await second.index.get('r1'))?.expiresAt).toBe(1_000);
    expect(await second.index.list('alice', { limit: 1_000 })).toHaveLength(240);
    await second.close();
  });
});
