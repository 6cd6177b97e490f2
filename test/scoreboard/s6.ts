import { addTallies } from './add-tallies.js';
import type { DerivedFigure } from './figure.js';

const jobsToSee = 100_000;

/** S6: the ends of all jobs of S1, S3 and S4 against the ledger. */
export const s6: DerivedFigure = {
  id: 'S6',
  name: 'true-outcomes',
  what: 'lost, wrong and doubled outcomes of S1, S3 and S4',
  target: '0 / 0 / 0 over ≥ 100,000 jobs',
  from: ['S1', 'S3', 'S4'],
  derive: (tallies) => {
    const { counts } = addTallies(['S1', 'S3', 'S4'].flatMap((id) => tallies.get(id) ?? []));
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
