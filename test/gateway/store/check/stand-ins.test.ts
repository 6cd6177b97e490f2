import { checkStore } from '../../../../src/server/gateway/store/check/check-store.js';
import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../../src/server/joblog/job-index.js';
import { jobIndexIn } from '../../../../src/server/gateway/store/job-index.js';
import { MemoryLevel } from 'memory-level';
import { readStored, storedText } from '../../../../src/server/gateway/store/stored-value.js';
import { storeOf } from '../../../../src/server/gateway/store/store.js';

const dayMs = 24 * 60 * 60 * 1000;
const now = 5_000;
const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1_000, expiresAt: 10, submissionId: `s-${id}` },
  ...{ workflow: { 1: { class_type: 'A', inputs: { text: id } } }, ...more },
});

/** A store of the jobs `a`, with a key, `b` without one, and `c`; and what a start does about it. */
const filled = async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  const check = async (all = false): Promise<readonly string[]> => {
    const told: string[] = [];
    await checkStore(level, { now, all, repair: true, tell: (message) => told.push(message) });
    return told;
  };
  await check();
  const index = jobIndexIn(storeOf(level));
  for (const one of [record('a', { key: 'k' }), record('b'), record('c')]) await index.add(one);
  const stored = async (key: string) => readStored(key, (await level.get(key)) ?? '')?.value;
  const idsOf = async () => (await index.list('alice', { limit: 9 })).map(({ id }) => id);
  return { level, check, index, stored, idsOf };
};

describe('a job whose record is damaged', () => {
  it.each([
    ['a', 1_000, { key: 'k' }],
    ['b', now, {}],
  ])('stands where it stood, by what lists and keys say of it: %s', async (id, createdAt, more) => {
    const { level, check, index, idsOf } = await filled();
    await level.put(`job!${id}`, 'no value');
    expect(await check()).toContain(`The job ${id} of alice can't be read, so it ends as failed.`);
    const { workflow } = record(id);
    expect(await index.get(id)).toEqual({
      ...{ id, owner: 'alice', client: '', submissionId: '', unreadable: true, workflow, createdAt, ...more },
      expiresAt: now + dayMs,
    });
    expect([await idsOf(), await check(true)]).toEqual([['c', 'b', 'a'], []]);
  });

  it('takes as much room as the rest of it: its workflow where that is whole', async () => {
    const { level, check, stored } = await filled();
    const sizeOf = async (key: string) => ((await stored(key)) as { readonly size: number }).size;
    const standIn = { ...record('b'), client: '', submissionId: '', createdAt: now, expiresAt: now + dayMs };
    const { id, owner, client, createdAt, expiresAt, submissionId } = standIn;
    const own = JSON.stringify({ id, owner, client, createdAt, expiresAt, submissionId, unreadable: true });
    const workflow = await level.get('workflow!b');
    const others = (await sizeOf('job!a')) + (await sizeOf('job!c'));
    await level.put('job!b', 'no value');
    await check();
    expect(await sizeOf('job!b')).toBe(own.length + (workflow?.length ?? 0));
    expect(await sizeOf('total!jobs')).toBe(others + own.length + (workflow?.length ?? 0));
    await level.put('job!b', 'no value');
    await level.put('workflow!b', 'no value');
    await check(true);
    expect([await sizeOf('job!b'), await stored('workflow!b')]).toEqual([own.length, {}]);
    expect([await sizeOf('total!jobs'), await check(true)]).toEqual([others + own.length, []]);
  });

  it('stands without its workflow where that is missing as well', async () => {
    const { level, check, index, stored } = await filled();
    await level.put('job!b', 'no value');
    await level.del('workflow!b');
    await check();
    expect(await index.get('b')).toMatchObject({ owner: 'alice', unreadable: true, workflow: {} });
    expect([await stored('workflow!b'), await check(true)]).toEqual([{}, []]);
  });

  it.each([
    ['an entry of the list without its place', 'job-of!alice!7!b', 'stray'],
    ['the use of no key', 'key!alice', { jobId: 'b', createdAt: 1, place: 2 }],
    [
      'the use of a key that is forgotten',
      'key!alice!old',
      { jobId: 'b', createdAt: 1, place: 2, forgotten: true },
    ],
  ])('is gone where nothing names its owner but %s', async (_, key, value) => {
    const { level, check, index, idsOf } = await filled();
    await level.put('job!b', 'no value');
    const [leads = ''] = (await level.keys().all()).filter((name) => /^job-of!.*!b$/u.test(name));
    await level.del(leads);
    await level.put(key, typeof value === 'string' ? value : storedText(key, value));
    await check();
    expect([await index.get('b'), await idsOf(), await check(true)]).toEqual([undefined, ['c', 'a'], []]);
  });

  it('keeps its key used, which a forgotten job’s does not give to another one', async () => {
    const { level, check, index } = await filled();
    await level.put('job!a', 'no value');
    await check();
    expect(await index.add(record('d', { key: 'k' }))).toMatchObject({
      ...{ _tag: 'keyUsed', existing: { id: 'a', unreadable: true } },
    });
  });
});
