import { type DrawOptions, drawCommands, drawSchedule } from '../draw-schedule.js';
import { commonKinds } from '../faults/common-kinds.js';
import type { FaultKind } from '../faults/index.js';
import { randomOf } from '../random.js';
import type { Schedule } from '../schedule.js';
import { v2Faults } from './v2-faults.js';

const ownKinds = Object.keys(v2Faults) as readonly FaultKind[];

/** What can befall a service of API v2, in a fixed order. */
export const v2FaultKinds: readonly FaultKind[] = [...commonKinds.v2, ...ownKinds, 'page is hidden'];

/** Its own faults stand twice, so that they come more often. */
const drawnKinds = [...v2FaultKinds, ...ownKinds];

/** Draws a schedule of API v2: the jobs of the cloud's schedule of this seed, and faults that such a service has. */
export const drawV2Schedule = (seed: number, options?: DrawOptions): Schedule =>
  v2Of(drawSchedule(seed, { ...options, kinds: 'all' }));

/** Draws what a user of API v2 does in any order. */
export const drawV2Commands = (seed: number): Schedule => v2Of(drawCommands(seed, { kinds: 'all' }));

/** A job has one document, which neither trails nor leaves out what an event reported. */
export const v2Of = (drawn: Schedule): Schedule => ({
  ...drawn,
  dialect: 'v2',
  withoutDetail: true,
  jobs: drawn.jobs.map((plan) => ({
    ...plan,
    lagMs: 0,
    lagShows: 'nothing',
    lagsAlways: false,
    tellsReason: false,
    files: plan.files === 'events' ? 'both' : (plan.files ?? 'both'),
  })),
  faults: drawn.faults.map((fault) => ({
    ...fault,
    kind: randomOf(drawn.seed, 41, fault.index).pick(drawnKinds),
  })),
});
