import { addTallies } from './add-tallies.js';
import type { DerivedFigure } from './figure.js';

const jobsToSee = 100_000;

/** The ends of all jobs of `random-fault-schedules`, `event-orders` and `random-commands` against the ledger. */
export const trueOutcomes: DerivedFigure = {
  id: 'true-outcomes',
  what: 'lost, wrong and doubled outcomes of random-fault-schedules, event-orders and random-commands',
  target: '0 / 0 / 0 over ≥ 100,000 jobs',
  from: ['random-fault-schedules', 'event-orders', 'random-commands'],
  derive: (tallies) => {
    const { counts } = addTallies(
      ['random-fault-schedules', 'event-orders', 'random-commands'].flatMap((id) => tallies.get(id) ?? []),
    );
    const { jobs = 0, lost = 0, wrong = 0, doubled = 0 } = counts;
    return {
      counts: { jobs, lost, wrong, doubled },
      problems: [
        ...(lost + wrong + doubled > 0 ? [`${lost} lost, ${wrong} wrong, ${doubled} doubled`] : []),
        ...(jobs < jobsToSee ? [`only ${jobs} jobs`] : []),
      ],
    };
  },
};
