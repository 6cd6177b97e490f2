import { endedAs } from '../../../core/state/ended-as.js';
import {
  ambiguous,
  decideMatch,
  type Observation,
  type LookRules,
  type Decision,
  slowed,
} from '../../../core/lost/decide-match.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { normalise, sameWorkflow } from '../../../core/lost/same-workflow.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { JobState } from '../../../core/state/job-state.js';
import { concatMap, defer, EMPTY, first, map, type Observable, of, shareReplay, switchMap } from 'rxjs';
import type { Following } from '../upstream/following.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobRegistry } from '../registry/job-registry.js';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';
import type { Poller } from './poller.js';
import { carriesMarker, isRecent, matchCandidates } from '../../../core/lost/match-candidates.js';
import { unknownFailure } from '../../../core/state/failure.js';
import type { Upstream, UpstreamJob } from '../upstream/upstream.js';

/** The ports and rules by which a job without a known id is followed. */
export interface LostContext {
  readonly clock: Clock;
  readonly index: JobIndex;
  readonly registry: JobRegistry;
  readonly following: Following;
  /** By the names of the services. */
  readonly pollers: Readonly<Record<string, Poller>>;
  readonly lookRules: LookRules;
  readonly cancellations: {
    /** Asks for the end of a job whose id the service knows now. */
    readonly ask: (id: string) => Promise<unknown>;
  };
}

/** Why the id of a job is not known. */
export interface LostAnswer {
  readonly message: string;
  /** Jobs of the service that began meanwhile. */
  readonly candidates?: readonly string[];
  /** When the submission began, in milliseconds since 1970. */
  readonly startedAt?: number;
}

/**
 * Follows a job in the registry whose submission got no answer, by a service that gives jobs their ids: looks for it among the service's
 * jobs, and follows the one that it has become.
 *
 * It waits until the service has shown the job or would have shown it for certain, and ends as `unknown` where that decides nothing.
 * An end that was asked for meanwhile is passed on as soon as the job is found.
 */
export const followLost = (
  context: LostContext,
  record: JobRecord,
  upstream: Upstream,
  lost: LostAnswer,
): void => {
  const { registry, following } = context;
  const { id } = record;
  const sought = (): Sought => {
    const decision = decisionOf(context, record, upstream).pipe(
      concatMap(async (seen) => {
        if (seen._tag === 'attach') await attach(context, record, seen.promptId);
        return seen;
      }),
      shareReplay({ bufferSize: 1, refCount: true }),
    );
    return {
      states: decision.pipe(
        switchMap((seen) =>
          seen._tag === 'attach'
            ? upstream.job(seen.promptId, record.workflow).states
            : of(lastState(record, upstream, lost, seen)),
        ),
      ),
      frames: decision.pipe(
        switchMap((seen) =>
          seen._tag === 'attach' ? upstream.job(seen.promptId, record.workflow).frames : EMPTY,
        ),
      ),
    };
  };
  const job = (): Sought => {
    const promptId = registry.get(id)?.record.promptId;
    return promptId === undefined ? sought() : upstream.job(promptId, record.workflow);
  };
  following.follow(id, job(), job, (state) => endedAs(state, 'untraceable'));
};

type Sought = Pick<UpstreamJob, 'states' | 'frames'>;

type Outcome = Exclude<Decision, { readonly _tag: 'observe' }>;

/** Emits once, what became of the submission. */
const decisionOf = (
  { clock, pollers, lookRules }: LostContext,
  record: JobRecord,
  { submissionIds }: Upstream,
): Observable<Outcome> =>
  defer(() => {
    // It has left by now, or never will.
    const sentAt = clock.wall();
    const observations: Observation[] = [];
    const { id, submissionId, createdAt: since } = record;
    const workflow = normalise(record.workflow);
    const rules = slowed(lookRules, writeExactJson(record.workflow).length);
    const mayBeOf = (other: JobRecord): boolean => {
      const theirs = normalise(other.workflow);
      // The job of one that was given up before is too old.
      const isOpen = isRecent({ createdAt: other.ended?.at }, since);
      return other.id !== id && isOpen && (sameWorkflow(workflow, theirs) || sameWorkflow(theirs, workflow));
    };
    return (pollers[record.client]?.listings(record) ?? EMPTY).pipe(
      map(({ at, jobs, unanswered, answered }): Decision => {
        const promptId = answered.get(id);
        if (promptId !== undefined) return { _tag: 'attach', promptId };
        const isMarked = carriesMarker(submissionIds);
        const seen = jobs && matchCandidates(jobs, { submissionId, since, workflow, isMarked });
        if (seen !== undefined) observations.push({ at, ...seen });
        const decision = decideMatch({ sentAt, observations, rules, now: clock.wall() }, noTrace);
        const { marked = [] } = observations.at(-1) ?? {};
        if (decision._tag !== 'attach' || marked.includes(decision.promptId)) return decision;
        const isOnlyOne = !unanswered.some(mayBeOf);
        return isOnlyOne ? decision : { _tag: 'unknown', reason: ambiguous, candidates: [decision.promptId] };
      }),
      first((decision) => decision._tag !== 'observe'),
    );
  });

const noTrace = 'The service shows no job of it.';

const attach = async (
  { index, registry, cancellations }: LostContext,
  record: JobRecord,
  promptId: string,
): Promise<void> => {
  await index.update(record.id, { promptId });
  const known = registry.get(record.id)?.record ?? record;
  registry.setRecord({ ...known, promptId });
  if (known.cancelRequestedAt !== undefined) await cancellations.ask(record.id);
};

/** Where the service has shown meanwhile that it takes the ids of submissions, a job that it does not show never came about. */
const lastState = (
  record: JobRecord,
  { submissionIds }: Upstream,
  lost: LostAnswer,
  seen: Extract<Outcome, { readonly _tag: 'unknown' }>,
): JobState =>
  submissionIds === 'jobs' && seen.candidates.length === 0
    ? {
        ...initialJobState({ workflow: record.workflow }),
        phase: 'failed',
        failure: unknownFailure(`${lost.message} ${noTrace}`),
      }
    : unknownState(record, lost, seen);

/** The state of a job that may not exist. */
const unknownState = (
  { workflow, createdAt }: JobRecord,
  { message, candidates: begun = [], startedAt = createdAt }: LostAnswer,
  { reason, candidates }: Extract<Outcome, { readonly _tag: 'unknown' }>,
): JobState => ({
  ...initialJobState({ workflow }),
  phase: 'unknown',
  failure: {
    ...unknownFailure(`${message} ${reason}`),
    candidates: [...new Set([...candidates, ...begun])],
    startedAt,
  },
});
