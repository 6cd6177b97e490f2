import { phasesOf } from '../../helpers/phases-of.js';
import { cutProblem, drawCut } from './cut-submission.js';
import { drawLine } from './draw-line.js';
import { judgeReal } from './judge-real.js';
import type { RealPlan } from './plan.js';
import { playReal, type RealRun } from './play-real.js';
import { drawSilence, playSilence } from './silent-line.js';

/** Plays one run on real sockets again, with the strikes that are named, and says what happened and what is wrong. */
export const replayReal = async (id: string, seed: number, faults?: string): Promise<readonly string[]> => {
  const chosen = faults?.split(',');
  const some = (plan: RealPlan): RealPlan => ({
    ...plan,
    strikes: plan.strikes.filter(({ index }) => chosen === undefined || chosen.includes(String(index))),
  });
  if (id === 'no-duplicate-submissions') {
    const { plan, expected } = drawCut(seed);
    const run = await playReal(some(plan));
    tellRun(run);
    return [cutProblem(run, expected) ?? [], judgeReal(run)].flat();
  }
  if (id === 'silent-connections') {
    const { run, outcomeMs, replacedMs } = await playSilence(some(drawSilence(seed)));
    tellRun(run);
    console.log({ outcomeMs, replacedMs });
    return judgeReal(run);
  }
  const run = await playReal(some(drawLine(seed)));
  tellRun(run);
  return judgeReal(run);
};

const tellRun = ({ plan, ledger, connection, users, held }: RealRun): void => {
  console.log(JSON.stringify(plan, undefined, 2));
  for (const { struck, fault } of ledger.faults) console.log(`${struck} met ${JSON.stringify(fault)}`);
  for (const { method, url } of ledger.requests.api) console.log(`${method} ${url.split('?')[0]}`);
  for (const { promptId, state, extraData } of ledger.jobs)
    console.log(`job ${String(extraData['correlation'])} is ${promptId}: ${state}`);
  for (const { at, state } of connection)
    console.log(`${Math.round(at)} ms connection ${JSON.stringify(state)}`);
  for (const [job, { error, at }] of users.refusals)
    console.log(`${Math.round(at)} ms job ${job} refused: ${wordsOf(error)}`);
  for (const { job, name, states, settledAt, error, hasError } of users.watchers)
    console.log(
      `job ${job} (${name}) until ${Math.round(settledAt() ?? Infinity)} ms: ${phasesOf(states).join(' → ')} ${hasError() ? wordsOf(error()) : ''}`,
    );
  console.log(held);
};

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error));
