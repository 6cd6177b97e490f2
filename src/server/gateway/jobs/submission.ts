import type { GatewaySubmission, JobOwner, SubmitResult } from '../model/gateway-jobs.js';
import type { JobRecord, KeptSubmission } from '../../joblog/job-index.js';
import { defer, filter, firstValueFrom, repeat } from 'rxjs';
import type { SubmissionContext } from './submission-context.js';
import type { SuppliedJobs } from './supplied-jobs.js';
import { turnForLarge } from '../../joblog/turn-for-large.js';
import { timerOn } from '../../../core/platform/timer.js';
import { postSubmission, takeBack } from './post-submission.js';
import { isSameJson } from '../../../core/protocol/json/is-same-json.js';
import { writeOnce } from '../../../core/protocol/json/write-once.js';

/** Submits for the owners of jobs. */
export interface Submissions {
  readonly submit: (owner: JobOwner, submission: GatewaySubmission) => Promise<SubmitResult>;
  /** Resolves once every submission under way has its answer. */
  readonly settled: () => Promise<void>;
}

/** How often a process asks for the answer that another one waits for. */
const lookAgainMs = 250;

/** How long a caller waits who has as many jobs as it may: when one of them will end is not known, and asking again costs little. */
const retryAfterS = 5;

/**
 * Submits each record once: the claim of its key comes before the POST, and so does the record with the id of the submission, by which
 * a job can be found whose answer never came.
 */
export const submissions = (
  context: SubmissionContext,
  supplied: Pick<SuppliedJobs, 'watch' | 'check'>,
): Submissions => {
  const { clock, index, registry, held, shared, jobsPerOwner, bytesPerOwner, stopped } = context;
  const post = postSubmission(context, supplied);
  const underWay = new Set<Promise<SubmitResult>>();
  /** Keys whose first submission has no answer yet: equal ones wait for that. */
  const claims = new Map<
    string,
    { readonly workflow: GatewaySubmission['workflow']; readonly result: Promise<SubmitResult> }
  >();
  /** The records without an answer of the service, by their ids: the registry may have them already. */
  const unanswered = new Map<string, JobRecord>();

  const isOver = ({ name, limits }: JobOwner): boolean => {
    const open = registry.ofOwner(name).filter(({ record }) => record.ended === undefined);
    const ids = new Set(open.map(({ record }) => record.id));
    for (const { id, owner } of unanswered.values()) if (owner === name) ids.add(id);
    return ids.size >= (limits?.jobs ?? jobsPerOwner);
  };

  const begin = (record: JobRecord, submission: GatewaySubmission): Promise<SubmitResult> => {
    unanswered.set(record.id, record);
    const answered = registry.expect(record);
    const result = post(record, submission).finally(() => {
      underWay.delete(result);
      unanswered.delete(record.id);
      answered();
    });
    underWay.add(result);
    return result;
  };

  /** Claims and submits; record and request take one text of what they have in common of the workflow, which goes with the answer. */
  const claimOnce = (owner: JobOwner, submission: GatewaySubmission): Promise<SubmitResult> => {
    const forgetText = writeOnce(submission.workflow, submission.resolved);
    return claim(owner, submission).finally(forgetText);
  };

  const claim = async (owner: JobOwner, submission: GatewaySubmission): Promise<SubmitResult> => {
    // It has been read in this turn; the record is written in another one.
    await turnForLarge(clock, submission.workflow);
    await shared.begin(owner.name);
    const record = newRecord(context, owner, submission);
    if (record.key === undefined && isOver(owner)) return noRoom('jobs');
    const maxSize = owner.limits?.keptBytes ?? bytesPerOwner;
    const added = await index.add(record, held.lease, { maxSize });
    if (added._tag === 'full') return noRoom(added.whose === 'owner' ? 'keptBytes' : 'all');
    if (added._tag === 'keyUsed') {
      return added.existing === undefined ? keyUsed : ofEarlier(owner, added.existing, submission);
    }
    held.add(record.id);
    // A log that can't forget them now keeps them until its own bounds.
    for (const evicted of added.evicted) void registry.remove(evicted).catch(() => undefined);
    if (isOver(owner)) {
      await takeBack(context, record);
      return noRoom('jobs');
    }
    return begin(record, submission);
  };

  /** Gives a repeated call the job of its key, if it asks for that and its workflow is the same; waits while another process submits it. */
  const ofEarlier = async (
    owner: JobOwner,
    existing: JobRecord,
    submission: GatewaySubmission,
  ): Promise<SubmitResult> => {
    const { id, workflow } = existing;
    if (submission.replay !== true || !isSameJson(workflow, submission.workflow)) return keyUsed;
    const look = async (): Promise<SubmitResult | undefined> => {
      if (registry.get(id) === undefined) await shared.sync(existing.owner);
      const job = registry.get(id);
      if (job !== undefined) return { _tag: 'accepted', job, replayed: true };
      // No other process can have the job, or this one stops.
      if (index.leases === undefined || stopped.aborted) return keyUsed;
      return (await index.get(id)) === undefined ? claim(owner, submission) : undefined;
    };
    return firstValueFrom(
      defer(look).pipe(
        repeat({ delay: () => timerOn(clock, lookAgainMs) }),
        filter((result) => result !== undefined),
      ),
      { defaultValue: keyUsed },
    );
  };

  return {
    submit: (owner, submission) => {
      const { key, workflow, replay } = submission;
      if (key === undefined) return claimOnce(owner, submission);
      const name = JSON.stringify([owner.name, key]);
      const first = claims.get(name);
      if (first === undefined) {
        const result = claimOnce(owner, submission).finally(() => claims.delete(name));
        claims.set(name, { workflow, result });
        return result;
      }
      if (replay !== true || !isSameJson(first.workflow, workflow)) return Promise.resolve(keyUsed);
      return first.result.then((answer) => {
        if (answer._tag === 'accepted') return { ...answer, replayed: true };
        return answer._tag === 'refused' ? answer : claimOnce(owner, submission);
      });
    },
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
};

const keyUsed: SubmitResult = { _tag: 'keyUsed' };

const noRoom = (of: Extract<SubmitResult, { readonly _tag: 'limit' }>['of']): SubmitResult => ({
  ...{ _tag: 'limit', of, retryAfterS },
});

const newRecord = (
  { clock, uuid, upstreams, retentionMs }: SubmissionContext,
  owner: JobOwner,
  submission: GatewaySubmission,
): JobRecord => {
  const { workflow, metadata, key, template, client = Object.keys(upstreams)[0] ?? '' } = submission;
  const createdAt = clock.wall();
  const id = uuid();
  return {
    id,
    owner: owner.name,
    client,
    createdAt,
    expiresAt: createdAt + retentionMs,
    workflow,
    ...(key !== undefined && { key }),
    ...(metadata !== undefined && { metadata }),
    ...(template !== undefined && { template }),
    // A queue that supplies the events of its jobs names them by this id.
    submissionId: upstreams[client]?.log === undefined ? uuid() : id,
    ...(upstreams[client]?.keepsJobs === true && { kept: keptOf(submission) }),
  };
};

const keptOf = ({ workflow, resolved, extraData, files = [] }: GatewaySubmission): KeptSubmission => ({
  ...(resolved !== undefined && resolved !== workflow && { workflow: resolved }),
  ...(extraData !== undefined && { extraData }),
  ...(files.length > 0 && { files }),
});
