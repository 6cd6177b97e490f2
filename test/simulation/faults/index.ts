import { connectionFaults } from './connection.js';
import type { Effect } from './effect.js';
import { eventFaults } from './events.js';
import { frameFaults } from './frames.js';
import { jobFaults } from './jobs.js';
import { localFaults } from '../local/local-faults.js';
import { readFaults } from './reads.js';
import { submissionFaults } from './submissions.js';
import { timeFaults } from './time.js';

/** What each kind of fault does that any service may have, groups A to F. */
const commonEffects = {
  ...connectionFaults,
  ...timeFaults,
  ...eventFaults,
  ...frameFaults,
  ...submissionFaults,
  ...readFaults,
  ...jobFaults,
} satisfies Record<string, Effect>;

/** What each kind of fault does, those of a local server among them. */
export const effects = { ...commonEffects, ...localFaults } satisfies Record<string, Effect>;

/** A kind of fault, by its name. */
export type FaultKind = keyof typeof effects;

/** Every {@link FaultKind} of the cloud, in a fixed order. */
export const faultKinds = Object.keys(commonEffects) as readonly FaultKind[];
