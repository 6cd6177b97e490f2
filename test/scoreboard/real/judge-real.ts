import type { LedgerJob } from '../../../src/emulator.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { isServiceError } from '../../../src/core/errors/service-error.js';
import { isTerminal } from '../../../src/core/state/job-state.js';
import type { Watcher } from '../../simulation/watcher.js';
import type { RealRun } from './play-real.js';

/** Checks I1 to I7 and I14 against the emulator's ledger; I11 and open handles are the process's own to see. */
export const judgeReal = (run: RealRun): readonly string[] => [
  ...run.users.watchers.flatMap((watcher) => [
    ...unsettled(watcher),
    ...outcome(run, watcher),
    ...untyped(watcher),
  ]),
  ...unlikeEnds(run),
  ...refused(run),
  ...duplicates(run),
  ...strays(run),
  ...leftovers(run),
];

/** What only the end of the client ended was never settled. */
const isClosed = (error: unknown): boolean => isServiceError(error) && error._tag === 'Closed';

/** I1, and I4: one end, and nothing after it. */
const unsettled = ({ job, name, states, settledAt, error, completed }: Watcher): readonly string[] => {
  const who = `job ${job} (${name})`;
  const ends = states.filter(({ phase }) => isTerminal(phase)).length;
  const isLast = ends === 0 || isTerminal(states.at(-1)!.phase);
  return [
    ...(settledAt() === undefined || isClosed(error()) ? [`I1 ${who} never settled`] : []),
    ...(ends > 1 ? [`I4 ${who} ended ${ends} times`] : []),
    ...(isLast ? [] : [`I4 ${who} went on after its end`]),
    ...(completed() && ends === 0 ? [`I2 ${who} completed without an end`] : []),
  ];
};

const jobOf = ({ ledger }: RealRun, watcher: Watcher): LedgerJob | undefined => {
  const promptId = watcher.states.at(-1)?.promptId ?? '';
  return ledger.jobs.find((job) =>
    promptId === '' ? correlationOf(job) === watcher.job : job.promptId === promptId,
  );
};

const correlationOf = ({ extraData }: LedgerJob): unknown => extraData['correlation'];

/** I2 and I3: the ledger's end, and all of its outputs. */
const outcome = (run: RealRun, watcher: Watcher): readonly string[] => {
  const { job, name, end, hasError, error } = watcher;
  const who = `job ${job} (${name})`;
  if (hasError()) return isClosed(error()) ? [] : wrongError(run, job, error(), who);
  const last = end();
  if (last === undefined) return [];
  const truth = jobOf(run, watcher);
  if (truth === undefined) return [`I2 ${who} ended, but was never accepted`];
  if (last.phase !== truth.state) return [`I2 ${who} ended as ${last.phase}, but it was ${truth.state}`];
  if (last.phase !== 'completed') return [];
  if (last.outputsComplete)
    return sameOutputs(last.outputs, truth.outputs) ? [] : [`I3 ${who} has other outputs than history`];
  return hasUnsureRest(run) ? [] : [`I3 ${who} lacks outputs though history has them`];
};

const sameOutputs = (seen: object, expected: object): boolean => {
  const sorted = (outputs: object): string =>
    JSON.stringify(Object.entries(outputs).sort(([one], [other]) => (one < other ? -1 : 1)));
  return sorted(seen) === sorted(expected);
};

/** Whether faults struck answers, so that a question may have stayed open. */
const hasUnsureRest = ({ ledger }: RealRun): boolean =>
  ledger.faults.some(({ fault: { on } }) => on === 'http' || on === 'rest' || on === 'job');

/** All watchers of a job agree on its end. */
const unlikeEnds = ({ users, plan }: RealRun): readonly string[] =>
  plan.jobs.flatMap(({ index }) => {
    const phases = users.watchers.filter(({ job }) => job === index).flatMap(({ end }) => end()?.phase ?? []);
    return new Set(phases).size > 1
      ? [`I4 job ${index} ended differently for its watchers: ${phases.join()}`]
      : [];
  });

const refused = (run: RealRun): readonly string[] =>
  [...run.users.refusals].flatMap(([job, { error }]) => [
    ...wrongError(run, job, error, `job ${job} (submit)`),
    ...typeProblems(error, `job ${job} (submit)`),
  ]);

/** I2 of a submission that failed: what it says has to be so, and there has to be a reason for it. */
const wrongError = (run: RealRun, job: number, error: unknown, who: string): readonly string[] => {
  if (!isServiceError(error)) return [];
  const accepted = run.ledger.jobs.filter((one) => correlationOf(one) === job).length;
  if (saysNotAccepted(error) && accepted > 0) return [`I2 ${who} says ${error._tag}, but it was accepted`];
  if (error._tag === 'OutcomeUnknown' || error._tag === 'Timeout')
    return isUnsure(run, job) ? [] : [`I2 ${who} is unsure without a reason`];
  if (error._tag === 'Network')
    return accepted === 0 && run.platform.unsent.length > 0 ? [] : [`I2 ${who} gave up`];
  if (error._tag === 'Aborted')
    return run.users.signals[job]?.signal.aborted === true ? [] : [`I2 ${who} was not aborted`];
  return [`I2 ${who} failed: ${error._tag}: ${error.message}`];
};

/** A watcher that is aborted later only stops watching; what never left says so. */
const saysNotAccepted = (error: ServiceError): boolean =>
  error._tag === 'Aborted' ? !error.sent : ['Network', 'Timeout', 'RateLimited'].includes(error._tag);

/** A submission's answer was struck, or took longer than any client waits. */
const isUnsure = ({ ledger, users, plan, platform }: RealRun, job: number): boolean => {
  const struck = ledger.faults.some(({ struck: what }) => what === 'POST /api/prompt');
  const settledAt = users.refusals.get(job)?.at ?? users.watchers.find((one) => one.job === job)?.settledAt();
  const took = (settledAt ?? platform.clock.now()) - (users.askedAt.get(job) ?? 0);
  return struck || took >= deadlineMs || plan.jobs[job]?.aborts !== undefined;
};

/** An answer that has not begun by then is given up. */
const deadlineMs = 29_000;

/** I5: no submission was accepted twice. */
const duplicates = ({ ledger, plan }: RealRun): readonly string[] =>
  plan.jobs.flatMap(({ index }) => {
    const accepted = ledger.jobs.filter((job) => correlationOf(job) === index).length;
    return accepted > 1 ? [`I5 job ${index} was accepted ${accepted} times`] : [];
  });

/** I6: nothing of one job reached another one. */
const strays = ({ users, plan }: RealRun): readonly string[] => [
  ...users.strayed.map((promptId) => `I6 a frame of ${promptId} went to another job`),
  ...users.watchers.flatMap(({ job, states }) => {
    const last = states.at(-1);
    const own = new Set(Object.keys(plan.jobs[job]?.workflow ?? {}));
    return [...Object.keys(last?.nodes ?? {}), ...Object.keys(last?.outputs ?? {})]
      .filter((nodeId) => !own.has(nodeId))
      .map((nodeId) => `I6 job ${job} shows node ${nodeId} of another one`);
  }),
];

/** I7: nothing is left after the client is closed, and nothing is sent. */
const leftovers = ({ held, askedAfterClose, users }: RealRun): readonly string[] => [
  ...Object.entries(held).flatMap(([what, count]) => (count === 0 ? [] : [`I7 ${count} ${what} are left`])),
  ...users.signals.flatMap(({ listeners }) =>
    listeners() === 0 ? [] : [`I7 ${listeners()} abort listeners are left`],
  ),
  ...(askedAfterClose === 0 ? [] : [`I7 ${askedAfterClose} requests after the end`]),
];

/** I14: each error is one of ours and says whether to try again; a job's error names the job. */
const untyped = ({ job, name, hasError, error, states }: Watcher): readonly string[] =>
  hasError() ? typeProblems(error(), `job ${job} (${name})`, states.at(-1)?.promptId) : [];

const typeProblems = (error: unknown, who: string, promptId = ''): readonly string[] => {
  if (!isServiceError(error) || !(error instanceof Error))
    return [`I14 ${who} errored with ${String(error)}`];
  return [
    ...(['never', 'after', 'unknown outcome'].includes(error.retry)
      ? []
      : [`I14 ${who} retry ${error.retry}`]),
    ...(error.hint === '' || error.message === '' ? [`I14 ${who} ${error._tag} has no words`] : []),
    ...(promptId !== '' && error.promptId !== promptId && !['Closed', 'Aborted'].includes(error._tag)
      ? [`I14 ${who} ${error._tag} names no job`]
      : []),
  ];
};
