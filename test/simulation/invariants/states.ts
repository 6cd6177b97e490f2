import { isServiceError } from '../../../src/core/errors/service-error.js';
import type { Played } from '../play.js';
import type { Watcher } from '../watcher.js';
import { untruthsOf } from './truth.js';

const order = ['submitting', 'pending', 'in_progress', 'over'];

const rank = (phase: string): number => (order.includes(phase) ? order.indexOf(phase) : 3);

/** I13, of number and order: no state comes twice in a row, none is ahead of its job, and a follow's first one is real. */
export const oddStates = (played: Played): readonly string[] =>
  played.observed.watchers.flatMap((watcher) => {
    const who = `I13 job ${watcher.job} (${watcher.name})`;
    const problem = repeated(watcher) ?? ahead(played, watcher) ?? unreal(played, watcher);
    return problem === undefined ? [] : [`${who} ${problem}`];
  });

const repeated = ({ texts }: Watcher): string | undefined =>
  texts.some((text, index) => text === texts[index - 1]) ? 'saw one state twice' : undefined;

/** No state may be ahead of what the job was when the state came. */
const ahead = ({ backend }: Played, { states, times }: Watcher): string | undefined => {
  const index = states.findIndex(({ promptId, phase }, place) => {
    const job = backend.jobs.byId.get(promptId);
    if (job === undefined || rank(phase) < 3 || phase === 'untraceable') return false;
    return (job.endedAt ?? Infinity) > times[place]!;
  });
  return index === -1 ? undefined : `saw ${states[index]!.phase} before its end`;
};

/** What `follow` emits first was true when its watcher came, or later; and nothing comes before a job is not found. */
const unreal = (
  played: Played,
  { job: plan, states, times, name, since, error }: Watcher,
): string | undefined => {
  const { backend } = played;
  const [first] = states;
  if (!['follow', 'refollow', 'afterwards'].includes(name) || first === undefined) return undefined;
  const job = backend.jobs.byId.get(first.promptId);
  if (job === undefined) return undefined;
  const failed = error();
  if (isServiceError(failed) && failed._tag === 'NotFound' && job.hiddenSince <= since)
    return 'saw a job before it was not found';
  // A status with an unknown word says no more than that a job is in flight.
  if (job.word !== undefined) return undefined;
  // A record that trails says that its job runs, which nothing contradicts while the status tells no truth either.
  const wasMisled = (['status', 'record'] as const).every((source) =>
    untruthsOf(played, job.promptId, source).some(({ from, until }) => from <= times[0]! && until >= since),
  );
  if (first.phase === 'in_progress' && wasMisled) return undefined;
  const startedAt = backend.ledger.moments.get(plan)?.get('started') ?? Infinity;
  const isStale =
    (rank(first.phase) < 3 && (job.endedAt ?? Infinity) <= since) ||
    (first.phase === 'pending' && startedAt <= since);
  return isStale
    ? `saw ${first.phase} of what ${job.phase === 'in_progress' ? 'ran' : 'was over'}`
    : undefined;
};
