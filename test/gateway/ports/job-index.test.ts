import { describe, expect, it } from 'vitest';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';

const hourMs = 3_600_000;

const record = (id: string, more: object = {}) => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 0, expiresAt: 24 * hourMs, workflow: {} },
  submissionId: `s-${id}`,
  ...more,
});

describe('an index of jobs', () => {
  it('keeps the key of a job that runs longer than a day', async () => {
    const index = memoryJobIndex();
    await index.add(record('a', { key: 'k' }));
    expect(await index.expire(30 * hourMs)).toEqual([]);
    expect(await index.add(record('b', { key: 'k' }))).toMatchObject({
      _tag: 'keyUsed',
      existing: { id: 'a' },
    });
    // Its end makes it a job like any other.
    await index.update('a', { ended: { phase: 'completed', at: 30 * hourMs }, expiresAt: 31 * hourMs });
    expect((await index.expire(31 * hourMs)).map(({ id }) => id)).toEqual(['a']);
    expect(await index.add(record('b', { key: 'k' }))).toMatchObject({ _tag: 'added' });
  });

  it('counts the characters of its records, and takes what fits exactly', async () => {
    const size = JSON.stringify(record('a')).length;
    const index = memoryJobIndex({ maxSize: 2 * size });
    await index.add(record('a'));
    await index.add(record('b'));
    expect(await index.add(record('c'))).toEqual({ _tag: 'full', whose: 'all' });
    await index.remove('b');
    expect(await index.add(record('c'))).toEqual({ _tag: 'added', evicted: [] });
    await index.update('a', { ended: { phase: 'failed', at: 1 } });
    await index.update('c', { ended: { phase: 'failed', at: 1 } });
    expect(await index.add(record('a larger one'))).toMatchObject({ evicted: [{ id: 'a' }, { id: 'c' }] });
    expect((await index.list('alice', { limit: 9 })).map(({ id }) => id)).toEqual(['a larger one']);
  });
});
