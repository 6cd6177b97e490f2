import { expect, it } from 'vitest';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';

const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 10, submissionId: 's' },
  ...{ workflow: {}, ...more },
});
const ended = { ended: { phase: 'completed', at: 2 } } as const;
const dayMs = 24 * 60 * 60 * 1000;

it('more jobs than a page has are listed, forgotten in their order, and free their keys a day after they came', async () => {
  const index = memoryJobIndex();
  const ids = Array.from({ length: 501 }, (_, nth) => `j${nth}`);
  await Promise.all(ids.map((id) => index.add(record(id, { key: id }))));
  for (const owner of ['alice', undefined]) {
    const listed = await index.list(owner, { limit: 999 });
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await index.list(owner, { limit: 501 })).toHaveLength(501);
    expect(await index.list(owner, { limit: 500 })).toHaveLength(500);
  }
  await Promise.all(ids.map((id) => index.update(id, ended)));
  expect(await index.expire(9)).toEqual([]);
  expect((await index.expire(10)).map(({ id }) => id)).toEqual(ids);
  expect(await index.list('alice', { limit: 1 })).toEqual([]);
  const again = async (key: string) => (await index.add(record('again', { key })))._tag;
  expect([await again('j0'), await again('j500')]).toEqual(['keyUsed', 'keyUsed']);
  await index.expire(dayMs);
  expect(await again('j500')).toBe('keyUsed');
  await index.expire(dayMs + 1);
  expect(await again('j500')).toBe('added');
});
