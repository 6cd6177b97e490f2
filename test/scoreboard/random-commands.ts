import { drawCommands } from '../simulation/draw-schedule.js';
import { drawLocalCommands } from '../simulation/local/draw-local.js';
import { drawV2Commands } from '../simulation/v2/draw-v2.js';
import type { Figure } from './figure.js';
import { playSchedules } from './schedules.js';

/** What users do, in any order and at any time, among faults. */
export const randomCommands: Figure = {
  id: 'random-commands',
  what: 'random commands: submit, run, follow, watch, cancel, leave, abort, dispose, change key, resume, sleep, faults; up to 60, in three dialects',
  target: '0 counter-examples in 7,500 runs, a third of each dialect',
  count: 2_500,
  splits: true,
  run: (range) =>
    playSchedules(
      {
        id: 'random-commands',
        draw: (seed) => drawCommands(seed, { kinds: 'all' }),
        others: [drawLocalCommands, drawV2Commands],
      },
      range,
    ),
};
