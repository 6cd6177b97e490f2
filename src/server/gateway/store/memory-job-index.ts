import type { JobIndex } from '../../joblog/job-index.js';
import { jobIndexIn } from './job-index.js';
import type { JobIndexLimits } from './make-room.js';
import { memoryStore } from './memory-store.js';

/**
 * Keeps jobs and keys in memory: a restart forgets all of them, so that old jobs are unknown and their keys are free again.
 *
 * At its bounds the jobs that ended go first, the oldest of them before the others; their keys stay used. An index full of jobs that
 * have not ended takes no more.
 */
export const memoryJobIndex = (limits: JobIndexLimits = {}): JobIndex => jobIndexIn(memoryStore(), limits);
