import type { Played } from '../play.js';
import type { SimJob } from '../sim-jobs.js';
import { outputsOf } from '../sim-messages.js';
import type { Watcher } from '../watcher.js';
import { isUnknowable } from './unknowable.js';
import { filesOf, filesOfNode, without } from './files.js';
import { couldBeHad, type Source, untruthsOf } from './truth.js';

/** How the last state's phase differs from the ledger's, where the truth could be had or no other source reported that. */
export const wrongPhase = (played: Played, job: SimJob, watcher: Watcher): string | undefined => {
  const { phase } = watcher.end()!;
  if (phase === job.phase) return undefined;
  const watchers = handleOf(played, watcher);
  if (isUnknowable(played, job, { phase, watchers, settledAt: settledAtOf(watchers) })) return undefined;
  const wrong = `ended as ${phase}, but it was ${job.phase}`;
  if (
    canKnow(played, job, watcher, 'status') ||
    (job.hasDetail && canKnow(played, job, watcher, 'detail')) ||
    (isShownByRecord(job) && canKnow(played, job, watcher, 'record'))
  )
    return wrong;
  if (phase === 'failed' && !isShownByRecord(job)) {
    // A record that says `error` alone reads as a failure, unless the socket said how the job ended.
    const said = deliveredBefore(played, job, watcher).some(({ type }) => type === 'execution_interrupted');
    return said && job.says === undefined ? wrong : undefined;
  }
  // Of what cannot be had, a client may say so, or believe what the socket said.
  return phase === 'untraceable' || phase === job.says ? undefined : wrong;
};

/** Whether the record tells a failure from a cancellation: without messages both are an `error`. */
const isShownByRecord = ({ plan, phase }: SimJob): boolean =>
  phase !== 'cancelled' || plan.withoutMessages !== true;

/** How the reason differs from the ledger's: its type, its message, its node, and how that node is shown. */
export const wrongFailure = (played: Played, job: SimJob, watcher: Watcher): string | undefined => {
  const { phase, failure, nodes } = watcher.end()!;
  if (phase !== job.phase) return undefined;
  if (phase !== 'failed') return failure === undefined ? undefined : `is ${phase} and has a failure`;
  const { failure: truth = {} } = job;
  const isTold = deliveredBefore(played, job, watcher).some(
    ({ type, data }) => type === 'execution_error' && data['exception_type'] === truth['exception_type'],
  );
  const isHeld =
    (job.plan.withoutMessages !== true && canKnow(played, job, watcher, 'record')) ||
    (job.hasDetail && canKnow(played, job, watcher, 'detail')) ||
    (job.plan.tellsReason === true && canKnow(played, job, watcher, 'status'));
  if (played.backend.v2?.marksOf(job.promptId).isExpired === true)
    return failure?.exceptionType === 'Expired' || !canKnow(played, job, watcher, 'status')
      ? undefined
      : 'expired, and does not say so';
  if (!isTold && !isHeld) return undefined;
  if (failure === undefined || failure.exceptionType === 'Unknown') return 'failed without its reason';
  const said = [failure.exceptionType, failure.exceptionMessage.trimEnd(), failure.nodeId, failure.nodeType];
  const meant = [
    truth['exception_type'],
    String(truth['exception_message']).trimEnd(),
    truth['node_id'],
    truth['node_type'],
  ];
  if (JSON.stringify(said) !== JSON.stringify(meant))
    return `failed by ${said.join(' ')}, not ${meant.join(' ')}`;
  const shown = nodes[String(truth['node_id'])]?.phase;
  return shown === 'failed' ? undefined : `failed by a node that is ${shown ?? 'not shown'}`;
};

/** How the outputs differ from the ledger's; a file that any source reported is never missing. */
export const wrongOutputs = (played: Played, job: SimJob, watcher: Watcher): string | undefined => {
  const { phase, outputs, outputsComplete } = watcher.end()!;
  const shown = filesOf(outputs);
  const held = filesOf(job.outputs);
  const reported = deliveredBefore(played, job, watcher)
    .filter(({ type }) => type === 'executed')
    .flatMap(({ data }) => filesOfNode(String(data['node']), data['output']));
  const foreign = without(shown, [...held, ...filesOf(outputsOf(job.plan))]);
  if (foreign.length > 0) return `shows ${foreign[0]}, which no source reported`;
  if (new Set(shown).size < shown.length) return 'shows a file twice';
  const lost = without(reported, shown);
  if (lost.length > 0) return `lost ${lost.length} files that it received (${phase})`;
  const lacking = without(held, shown);
  const unheld = without(reported, held);
  if (outputsComplete && unheld.length > 0) return `calls complete what its record lacks (${phase})`;
  if (outputsComplete && lacking.length > 0)
    return `calls complete what lacks ${lacking.length} files (${phase})`;
  if (!canKnow(played, job, watcher, 'record')) return undefined;
  // A job that did not complete ends without waiting for files; a later follow gets them.
  if (phase !== 'completed' && !outputsComplete && wasUntrue(played, job, watcher)) return undefined;
  if (lacking.length > 0) return `lacks ${lacking.length} files that history has (${phase})`;
  return phase === 'completed' && !outputsComplete && unheld.length === 0
    ? 'calls incomplete what history has'
    : undefined;
};

/** Whether a source told the truth for long enough; all watchers of one handle share its end. */
const canKnow = (played: Played, job: SimJob, watcher: Watcher, source: Source): boolean => {
  const same = handleOf(played, watcher);
  return couldBeHad(played, job, source, {
    since: Math.min(...same.map(({ since }) => since)),
    settledAt: settledAtOf(same),
  });
};

/** Whether the record could not be read when the end was reported, or shortly before. */
const wasUntrue = (played: Played, { promptId }: SimJob, watcher: Watcher): boolean => {
  const settledAt = settledAtOf(handleOf(played, watcher));
  return untruthsOf(played, promptId, 'record').some(
    ({ from, until }) => from <= settledAt && until > settledAt - 3_000,
  );
};

/** The messages of a job that reached the client while a watcher was there, before the first watcher saw its end. */
const deliveredBefore = (played: Played, { promptId }: SimJob, watcher: Watcher) => {
  const same = handleOf(played, watcher);
  const isOwn = same.some(({ name }) => name === 'run' || name === 'states');
  const from = isOwn ? 0 : watcher.since;
  const until = settledAtOf(same);
  return (played.backend.ledger.delivered.get(promptId) ?? []).filter(({ at }) => at > from && at < until);
};

/** Whether a watcher is one that came to a job anew, by its id. */
export const isLook = (name: string): boolean => name === 'refollow' || name === 'afterwards';

/** The watchers that share a handle with this one, itself among them. */
export const handleOf = ({ observed }: Played, watcher: Watcher): readonly Watcher[] =>
  isLook(watcher.name)
    ? [watcher]
    : observed.watchers.filter(({ job, name }) => job === watcher.job && !isLook(name));

/** When the first of them saw the end. */
export const settledAtOf = (watchers: readonly Watcher[]): number =>
  Math.min(...watchers.map(({ settledAt }) => settledAt() ?? Infinity));
