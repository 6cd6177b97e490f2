import type { Played } from '../play.js';

/** I6, of pictures and texts, which name no job locally: none goes to another one, and none that is sure is kept back. */
export const misgivenFrames = ({ observed, backend }: Played): readonly string[] => [
  ...observed.marks
    .filter(({ job, plan }) => job !== plan)
    .map(({ job, plan, mark }) => `I6 job ${job} was given a ${mark} of job ${plan}`),
  ...observed.watchers
    .filter(({ name, leftAt }) => name === 'states' && leftAt() === undefined)
    .flatMap(({ job, states, settledAt }) => {
      const promptId = states.at(-1)?.promptId ?? '';
      const given = new Set(
        observed.marks.filter((one) => one.promptId === promptId).map(({ mark }) => mark),
      );
      const until = settledAt() ?? Infinity;
      const kept = (backend.ledger.clearFrames.get(promptId) ?? []).filter(
        ({ at, mark }) => at < until && !given.has(mark),
      );
      return kept.length === 0
        ? []
        : [`I6 job ${job} was not given ${kept.length} of its pictures and texts`];
    }),
];
