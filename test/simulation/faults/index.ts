import { connectionFaults } from './connection.js';
import type { Effect } from './effect.js';
import { eventFaults } from './events.js';
import { frameFaults } from './frames.js';
import { jobFaults } from './jobs.js';
import { readFaults } from './reads.js';
import { submissionFaults } from './submissions.js';
import { timeFaults } from './time.js';

/** What each kind of fault does, groups A to F. */
export const effects = {
  ...connectionFaults,
  ...timeFaults,
  ...eventFaults,
  ...frameFaults,
  ...submissionFaults,
  ...readFaults,
  ...jobFaults,
} satisfies Record<string, Effect>;

/** A kind of fault, by its name. */
export type FaultKind = keyof typeof effects;

/** Every {@link FaultKind}, in a fixed order. */
export const faultKinds = Object.keys(effects) as readonly FaultKind[];
