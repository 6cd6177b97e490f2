import type { Played } from '../play.js';
import { duplicateSubmissions, illegalSteps, leftovers, foreignStates, untypedErrors } from './conduct.js';
import { notYet } from './not-yet.js';
import { misgivenFrames } from './own-frames.js';
import { outcomesOf, type Outcomes, wrongRefusal } from './outcomes.js';
import { brokenLimits } from './limits.js';
import { lateSettlements } from './settling.js';
import { oddStates } from './states.js';

/** What the checks found. */
export interface Verdict {
  readonly violations: readonly string[];
  readonly outcomes: Outcomes;
}

/** Options of {@link judge}. */
export interface JudgeOptions {
  /** Reports what is not mended yet, too. */
  readonly strictly?: boolean;
}

/** Checks I1 to I7, I10, I13 and I14 against the ledger; I11 is the process's own to see. */
export const judge = (played: Played, { strictly = false }: JudgeOptions = {}): Verdict => {
  const outcomes = outcomesOf(played);
  return {
    outcomes,
    violations: [
      ...outcomes.lost,
      ...outcomes.wrong,
      ...outcomes.doubled,
      ...outcomes.incomplete,
      ...[...played.observed.refusals].flatMap(([plan, { error, at }]) => {
        const problem = wrongRefusal(played, plan, error, at);
        return problem === undefined ? [] : [`I2 job ${plan} ${problem}`];
      }),
      ...lateSettlements(played),
      ...duplicateSubmissions(played),
      ...foreignStates(played),
      ...misgivenFrames(played),
      ...leftovers(played),
      ...brokenLimits(played),
      ...illegalSteps(played),
      ...oddStates(played),
      ...untypedErrors(played),
    ].filter((violation) => strictly || !notYet.some((known) => known.test(violation))),
  };
};
