import type { FaultKind } from '../simulation/faults/index.js';

/** What has to come of a submission that was cut. */
export type Expected = 'sent again' | 'unknown' | 'left' | 'closed' | 'drained';

/** The twelve points at which a submission is cut, and what has to come of it. */
export const cutPoints = [
  ['submission never leaves', 'sent again'],
  ['submission meets 429 with a wait', 'sent again'],
  ['submission meets 503 with a wait', 'sent again'],
  ['submission cut before it was accepted', 'unknown'],
  ['submission cut after it was accepted', 'unknown'],
  ['submission accepted, answer never comes', 'unknown'],
  ['submission accepted, answer drips', 'unknown'],
  ['submission accepted, answer breaks off', 'unknown'],
  ['submission accepted, then 500', 'unknown'],
  ['submission meets 502', 'unknown'],
  ['submission meets 504 after it was accepted', 'unknown'],
  ['user aborts', 'left'],
] as const satisfies readonly (readonly [FaultKind, Expected])[];

/** The name of one of {@link cutPoints}. */
export type CutKind = (typeof cutPoints)[number][0];

/** Those of virtual time: the client may be closed or drained besides. */
export const virtualCutPoints: readonly (readonly [FaultKind, Expected])[] = [
  ...cutPoints,
  ['client is closed', 'closed'],
  ['client is drained', 'drained'],
];

/** Those of API v2, where a key makes a submission the only one of its kind, and a wait is asked for by 429. */
export const v2CutPoints: readonly (readonly [FaultKind, Expected])[] = [
  ...virtualCutPoints.filter(([kind]) => kind !== 'submission meets 503 with a wait'),
  ['v2: the service is not ready', 'sent again'],
  ['v2: the queue is full for a while', 'sent again'],
  ['v2: a proxy sends the submission twice', 'unknown'],
  ['v2: another submission has the key', 'unknown'],
  ['v2: a submission meets 503 and its key is taken', 'unknown'],
];
