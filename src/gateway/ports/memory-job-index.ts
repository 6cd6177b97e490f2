import type { JobIndex } from './job-index.js';
import { type JobIndexLimits, jobTable } from './job-table.js';

/**
 * Keeps jobs and keys in memory: a restart forgets all of them, so that old jobs are unknown and their keys are free again.
 *
 * At its bounds the jobs that ended go first, the oldest of them before the others; their keys stay used. An index full of jobs that
 * have not ended takes no more.
 */
export const memoryJobIndex = (limits: JobIndexLimits = {}): JobIndex => {
  const table = jobTable(limits);
  return {
    add: (record) => Promise.resolve(table.add(record)),
    update: (id, change) => {
      table.update(id, change);
      return Promise.resolve();
    },
    get: (id) => Promise.resolve(table.get(id)),
    list: (owner, page) => Promise.resolve(table.list(owner, page)),
    remove: (id) => {
      table.remove(id);
      return Promise.resolve();
    },
    expire: (now) => Promise.resolve(table.expire(now)),
  };
};
