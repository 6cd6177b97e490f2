import type { JobRecord } from '../../../src/server/joblog/job-index.js';

/** The ids of four jobs, of two owners, whose records are to be damaged. */
export const ids = ['a', 'b', 'c', 'd'] as const;

export const ownerOf = (id: string): string => (id === 'd' ? 'bob' : 'alice');

/** The whole record of one of them. */
export const recordOf = (id: string, owner = ownerOf(id)): JobRecord => ({
  ...{
    id,
    owner,
    client: 'default',
    createdAt: 1,
    expiresAt: 9e15,
    submissionId: `s-${id}`,
    key: `key of ${id}`,
  },
  workflow: { 1: { class_type: 'A', inputs: { seed: 2n ** 63n, text: `of ${id}` } } },
  // A pool has these two.
  ...((id === 'b' || id === 'd') && {
    kept: { workflow: { 1: { class_type: 'A', inputs: { image: `of ${id}.png` } } }, extraData: { of: id } },
  }),
});
