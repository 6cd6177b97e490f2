import { answerFaults } from './answers.js';
import { connectionFaults } from './connection.js';
import type { Effect } from './effect.js';
import { endingFaults } from './endings.js';
import { eventFaults } from './events.js';
import { frameFaults } from './frames.js';
import { jobFaults } from './jobs.js';
import { localFaults } from '../local/local-faults.js';
import { readFaults } from './reads.js';
import { serviceFaults } from './service.js';
import { submissionFaults } from './submissions.js';
import { timeFaults } from './time.js';
import { v2Faults } from '../v2/v2-faults.js';

/** The first kinds, groups A to F: old seeds draw from them, so their order stays, and new ones stand elsewhere. */
const oldEffects = {
  ...connectionFaults,
  ...timeFaults,
  ...eventFaults,
  ...frameFaults,
  ...submissionFaults,
  ...readFaults,
  ...jobFaults,
} satisfies Record<string, Effect>;

const cloudEffects = { ...oldEffects, ...answerFaults, ...serviceFaults } satisfies Record<string, Effect>;

/** What each kind of fault does, those of a local server and of API v2 among them. */
export const effects = { ...cloudEffects, ...localFaults, ...v2Faults, ...endingFaults } satisfies Record<
  string,
  Effect
>;

/** A kind of fault, by its name. */
export type FaultKind = keyof typeof effects;

/** The kinds that old seeds draw from, in a fixed order. */
export const oldFaultKinds = Object.keys(oldEffects) as readonly FaultKind[];

/** Every {@link FaultKind} of the cloud, in a fixed order. */
export const faultKinds = Object.keys(cloudEffects) as readonly FaultKind[];

/** The kinds that wait for a submission; a revoked key takes effect at once. */
export const submissionKinds: ReadonlySet<FaultKind> = new Set<FaultKind>([
  ...(Object.keys(submissionFaults) as FaultKind[]).filter((kind) => kind !== 'key is revoked'),
  'a submission is asked to wait until a date',
  'v2: a proxy sends the submission twice',
  'v2: another submission has the key',
  'v2: the service is not ready',
  'v2: the queue is full for a while',
  'v2: a submission meets 503 and its key is taken',
]);
