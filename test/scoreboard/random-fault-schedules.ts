import { withAimedFaults } from '../simulation/aimed-faults.js';
import { drawSchedule } from '../simulation/draw-schedule.js';
import { faultKinds } from '../simulation/faults/index.js';
import { drawLocalSchedule, localFaultKinds } from '../simulation/local/draw-local.js';
import type { Schedule } from '../simulation/schedule.js';
import { drawV2Schedule, v2FaultKinds } from '../simulation/v2/draw-v2.js';
import type { Figure } from './figure.js';
import { regressions } from './regressions.js';
import { playSchedules } from './schedules.js';

/** Random schedules of jobs and faults. */
export const randomFaultSchedules: Figure = {
  id: 'random-fault-schedules',
  what: 'random schedules: 1–20 jobs, 4–16 faults of groups A–F, in three dialects',
  target: '0 violations of I1–I7, I10, I11, I13, I14 in 15,000 schedules, a third of each dialect',
  // So many that `fault-coverage` meets every pair of faults.
  count: 5_250,
  splits: true,
  run: (range) =>
    playSchedules(
      {
        id: 'random-fault-schedules',
        draw: drawForCloud,
        others: [drawForLocal, drawForV2],
        ...(range.from === 1 ? { regressions: regressions() } : {}),
      },
      range,
    ),
};

/** What the figure plays of a seed in the cloud. */
export const drawForCloud = (seed: number): Schedule =>
  withAimedFaults(drawSchedule(seed, { kinds: 'all' }), faultKinds);

/** What the figure plays of a seed on a local server. */
export const drawForLocal = (seed: number): Schedule =>
  withAimedFaults(drawLocalSchedule(seed), localFaultKinds);

/** What the figure plays of a seed against API v2. */
export const drawForV2 = (seed: number): Schedule => withAimedFaults(drawV2Schedule(seed), v2FaultKinds);
