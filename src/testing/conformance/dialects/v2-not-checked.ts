import type { ConformanceCase } from '../conformance-case.js';
import { notChecked } from './not-checked.js';

const crowd = 'it takes a queue in which jobs wait, and those may be of others';

/** Chapter 12: what no run checks, and why. */
export const v2NotChecked: readonly ConformanceCase[] = [
  notChecked('V.2.2', 'errors of paths that do not exist', 'no source says it: it is assumed'),
  notChecked('V.2.4', 'Retry-After of a 429', 'it takes a flood of requests'),
  notChecked('V.3.10', 'a full queue', 'it takes a queue that is full, and its jobs may be of others'),
  notChecked('V.3.11', 'an account without credits', 'it takes an account without credits'),
  notChecked('V.6.2', 'the cancel of a waiting job', crowd),
  notChecked('V.6.3', 'the cancel of a running job', 'it takes a job that runs long enough to cancel it'),
  notChecked('V.7.6', 'previews', 'the jobs of the suite have none: they take no model'),
];
