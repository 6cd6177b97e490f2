import { type DrawOptions, drawCommands, drawSchedule } from '../draw-schedule.js';
import { commonKinds } from '../faults/common-kinds.js';
import type { FaultKind } from '../faults/index.js';
import { randomOf } from '../random.js';
import type { Schedule } from '../schedule.js';
import { localFaults } from './local-faults.js';

const ownKinds = Object.keys(localFaults) as readonly FaultKind[];

/** What can befall a local server, in a fixed order. */
export const localFaultKinds: readonly FaultKind[] = [...commonKinds.local, ...ownKinds, 'page is hidden'];

/** What is drawn at random; its own faults stand twice, so that they come more often, but for the long queue, which is dear. */
const drawnKinds = [
  ...commonKinds.local,
  ...ownKinds,
  ...ownKinds.filter((kind) => kind !== 'local: thousands of others wait'),
];

/** Draws a schedule of a local server: the jobs of the cloud's schedule of this seed, and faults that such a server has. */
export const drawLocalSchedule = (seed: number, options?: DrawOptions): Schedule =>
  localOf(drawSchedule(seed, options));

/** Draws what a user of a local server does in any order. */
export const drawLocalCommands = (seed: number): Schedule => localOf(drawCommands(seed));

const localOf = (drawn: Schedule): Schedule => ({
  ...drawn,
  dialect: 'local',
  jobs: drawn.jobs.map((plan) => {
    const random = randomOf(drawn.seed, 22, plan.index);
    return {
      ...plan,
      clientless: random.chance(0.3),
      blocked: random.chance(0.1),
      oddNumbers: random.chance(0.1),
    };
  }),
  faults: drawn.faults.map((fault) => ({
    ...fault,
    kind: randomOf(drawn.seed, 23, fault.index).pick(drawnKinds),
  })),
});
