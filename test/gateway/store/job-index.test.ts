import { describe, expect, it, vi } from 'vitest';
import { jobIndexIn } from '../../../src/server/gateway/store/job-index.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { MemoryLevel } from 'memory-level';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { storeOf } from '../../../src/server/gateway/store/store.js';

const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 10, submissionId: 's' },
  ...{ workflow: {}, ...more },
});
const ended = { ended: { phase: 'completed', at: 2 } } as const;

describe('more jobs than a page has', () => {
  it('are looked through for the oldest that has ended', async () => {
    const index = memoryJobIndex({ maxJobs: 102 });
    const ids = Array.from({ length: 102 }, (_, nth) => `j${nth}`);
    await Promise.all(ids.map((id) => index.add(record(id))));
    for (const id of ['j101', 'j100']) await index.update(id, ended);
    expect(await index.add(record('next'))).toMatchObject({ evicted: [{ id: 'j100' }] });
  });
});

describe('the pictures of a job', () => {
  const picture = (bytes: number) => ({ mediaType: 'image/png', bytes: new Uint8Array(bytes) });
  const size = JSON.stringify(record('a')).length;
  // Six bytes are eight characters.
  it.each([
    ['all jobs', { maxSize: 2 * size + 8 }, undefined, 'all'],
    ['those of its owner', {}, { maxSize: 2 * size + 8 }, 'owner'],
  ] as const)('count with it among %s, and go with it', async (_, limits, share, whose) => {
    const index = memoryJobIndex(limits);
    const add = (id: string) => index.add(record(id), undefined, share);
    await add('a');
    const kept = [];
    for (const bytes of [6, 3, 3 * size, 6])
      kept.push(await index.images?.put('a', { nodeId: '2', index: 0 }, picture(bytes)));
    // What has no room is not kept: a job that goes on may send any number.
    expect(kept).toEqual([true, true, false, true]);
    expect(await add('b')).toEqual({ _tag: 'added', evicted: [] });
    await index.remove('b');
    await index.images?.put('a', { nodeId: '2', index: 1 }, picture(1));
    expect(await add('b')).toEqual({ _tag: 'full', whose });
    await index.remove('a');
    expect([await add('b'), await add('c')]).toMatchObject([{ _tag: 'added' }, { _tag: 'added' }]);
    expect(await index.images?.get('a', { nodeId: '2', index: 0 })).toBeUndefined();
    expect(await add('d')).toEqual({ _tag: 'full', whose });
  });
});

it('a removed job frees its key, and one that is not known nothing', async () => {
  const index = memoryJobIndex();
  await index.add(record('a', { key: 'k' }));
  await index.remove('none');
  expect((await index.add(record('b', { key: 'k' })))._tag).toBe('keyUsed');
  await index.remove('a');
  expect((await index.add(record('b', { key: 'k' })))._tag).toBe('added');
  await index.update('none', ended);
  expect(await index.expire(99)).toEqual([]);
});

it('what a page begins after is a job of the owner who asks', async () => {
  const index = memoryJobIndex();
  for (const [id, owner] of [
    ['a', 'alice'],
    ['b', 'bob'],
    ['c', 'alice'],
  ] as const)
    await index.add(record(id, { owner }));
  const list = async (owner: string | undefined, after: string) =>
    (await index.list(owner, { after, limit: 9 })).map(({ id }) => id);
  expect(await list('alice', 'c')).toEqual(['a']);
  expect([await list('bob', 'c'), await list('alice', 'b')]).toEqual([[], []]);
  expect(await list(undefined, 'c')).toEqual(['b', 'a']);
});

it('jobs past their time are forgotten in the order in which they came, whichever was the first to expire', async () => {
  const index = memoryJobIndex();
  for (const [id, expiresAt] of [
    ['a', 30],
    ['b', 10],
    ['c', 20],
    ['d', 40],
  ] as const) {
    await index.add(record(id, { expiresAt }));
    await index.update(id, ended);
  }
  expect((await index.expire(30)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect((await index.list('alice', { limit: 9 })).map(({ id }) => id)).toEqual(['d']);
});

it('an index that is asked whether it can write changes nothing', async () => {
  const index = memoryJobIndex({ maxJobs: 1 });
  await index.probe?.();
  await index.add(record('a'));
  await index.probe?.();
  expect(await index.add(record('b'))).toEqual({ _tag: 'full', whose: 'all' });
});

it('an index that is asked whether it can write tries it', async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  const index = jobIndexIn(storeOf(level));
  await index.probe?.();
  vi.spyOn(level, 'batch').mockRejectedValue(new Error('The disk is full.'));
  await expect(index.probe?.()).rejects.toThrow('The disk is full.');
});

it('all jobs past their time are forgotten by one call, however many they are', async () => {
  const index = memoryJobIndex();
  const ids = Array.from({ length: 101 }, (_, nth) => `j${nth}`);
  for (const id of ids) {
    await index.add(record(id));
    await index.update(id, ended);
  }
  expect((await index.expire(10)).map(({ id }) => id)).toEqual(ids);
  expect(await index.list('alice', { limit: 1 })).toEqual([]);
});

it('a job that can’t be read makes no room, and keeps no other one from it', async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  const index = jobIndexIn(storeOf(level), { maxJobs: 2 });
  for (const id of ['a', 'b']) await index.add(record(id));
  await index.update('b', ended);
  await level.put('job!a', 'no value');
  expect(await index.add(record('c'))).toMatchObject({ _tag: 'added', evicted: [{ id: 'b' }] });
});
