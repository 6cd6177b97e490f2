import { expect, it } from 'vitest';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';

const workflowOf = (characters: number): JobRecord['workflow'] => ({
  1: { class_type: 'A', inputs: { text: 'x'.repeat(characters) } },
});
const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 10, workflow: workflowOf(1) },
  ...{ submissionId: `s-${id}`, ...more },
});

/** Whether other work of the process had a turn before the job was stored. */
const letsOthersWork = async (job: JobRecord): Promise<boolean> => {
  const index = memoryJobIndex();
  // The store has been opened by then.
  await index.add(record('before'));
  let hasTurned = false;
  setImmediate(() => (hasTurned = true));
  await index.add(job);
  return hasTurned;
};

it.each<readonly [string, boolean, Partial<JobRecord>]>([
  ['a small job', false, {}],
  ['a job of less than 256 Ki characters', false, { workflow: workflowOf(250 * 1024) }],
  ['a workflow of more', true, { workflow: workflowOf(260 * 1024) }],
  [
    'a submission of more that is kept beside its workflow',
    true,
    { kept: { workflow: workflowOf(260 * 1024) } },
  ],
])('%s lets other work have a turn: %s', async (_, isLarge, more) => {
  expect(await letsOthersWork(record('a', more))).toBe(isLarge);
});

it('a job with another one’s key is not added, and gives the other one as far as it is known', async () => {
  const index = memoryJobIndex();
  await index.add(record('a', { key: 'k' }));
  expect(await index.add(record('b', { key: 'k' }))).toEqual({
    ...{ _tag: 'keyUsed', existing: record('a', { key: 'k' }) },
  });
  expect(await index.get('b')).toBeUndefined();
  await index.update('a', { ended: { phase: 'completed', at: 2 } });
  await index.expire(11);
  expect(await index.add(record('b', { key: 'k' }))).toStrictEqual({ _tag: 'keyUsed' });
  // A key is its owner's.
  expect(await index.add(record('b', { key: 'k', owner: 'bob' }))).toMatchObject({ _tag: 'added' });
});
