import type { StopSignal } from '../../../src/cli/cli-io.js';
import { exitCodes } from '../../../src/cli/exit-code.js';
import { type CommandCase, differs, jsonLinesOf } from './command-case.js';
import { type Held, hold, type Phase, phases } from './phases.js';

const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const policies = ['detach', 'cancel'] as const;

/** Each signal in each phase with each policy, and what the table of docs/guide/command.md says of it. */
export const signalCases = (): readonly CommandCase[] =>
  phases.flatMap((phase) =>
    signals.flatMap((signal) =>
      policies.map((policy): CommandCase => ({
        name: `${signal} while ${phase}, --on-interrupt ${policy}`,
        run: async (main) => {
          const held = await hold(phase, { main, flags: ['--json', '--on-interrupt', policy] });
          await using place = held.place;
          held.running.kill(signal);
          const code = await held.running.ended;
          const promptId = place.emulator.ledger.jobs.at(-1)?.promptId;
          const cancels = policy === 'cancel' && signal === 'SIGINT' && isWatched(phase);
          return [
            ...endProblems(held, phase, signal, code),
            ...differs('deleted', place.deleted(), cancels ? [[promptId]] : []),
            ...differs('interrupts', place.interrupts(), 0),
            ...jobProblems(held, phase, cancels),
            ...differs('saved', await place.saved(), []),
          ];
        },
      })),
    ),
  );

const isWatched = (phase: Phase): boolean => ['pending', 'running', 'confirming'].includes(phase);

const hasNoJob = (phase: Phase): boolean => ['reading', 'uploading', 'connecting'].includes(phase);

/** The code, the last line, and what it says to do next. */
const endProblems = (
  { running, place }: Held,
  phase: Phase,
  signal: StopSignal,
  code: unknown,
): readonly string[] => {
  const exit = phase === 'submitting' ? 'outcomeUnknown' : signal;
  const end = jsonLinesOf(running.stdout()).at(-1) ?? {};
  const promptId = place.emulator.ledger.jobs.at(-1)?.promptId;
  const next = phase === 'downloading' ? 'outputs' : isWatched(phase) ? 'follow' : undefined;
  return [
    ...differs('exit code', code, exitCodes[exit].code),
    ...differs('standard error', running.stderr(), ''),
    ...differs('the last line', [end['kind'], end['exit'], end['code']], ['end', exit, exitCodes[exit].code]),
    ...differs('resume', end['resume'], next && `promptwire ${next} ${String(promptId)}`),
  ];
};

/** What became of the job at the service. */
const jobProblems = ({ place }: Held, phase: Phase, cancels: boolean): readonly string[] => {
  const { jobs } = place.emulator.ledger;
  if (hasNoJob(phase)) return differs('jobs', jobs.length, 0);
  const own = jobs.at(-1);
  const left = phase === 'pending' ? 'pending' : phase === 'running' ? 'in_progress' : 'completed';
  return [
    ...differs('jobs', jobs.length, phase === 'pending' ? 2 : 1),
    // Behind a gate the job is over before anything can be cancelled.
    ...differs('the job', own?.state, cancels && left !== 'completed' ? 'cancelled' : left),
  ];
};
