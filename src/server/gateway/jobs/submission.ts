import { endedAs } from '../../../core/state/ended-as.js';
import { followLost, type LostContext } from '../lost/follow-lost.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import * as E from '../../../core/protocol/either.js';
import type { JobLeases } from './job-leases.js';
import type { GatewayJob, GatewaySubmission, JobOwner, SubmitResult } from '../model/gateway-jobs.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobRecord } from '../../joblog/job-index.js';
import { firstValueFrom } from 'rxjs';
import type { SharedJobs } from '../registry/shared-jobs.js';
import { timerOn } from '../../../core/platform/timer.js';
import { unknownFailure } from '../../../core/state/failure.js';
import type { Upstream, UpstreamJob } from '../upstream/upstream.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** What submitting needs. */
export interface SubmissionContext extends LostContext {
  readonly uuid: () => string;
  readonly held: JobLeases;
  readonly shared: SharedJobs;
  readonly stopped: AbortSignal;
  /** By name; the first one takes what names none. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
  readonly retentionMs: number;
  /** How many jobs of one owner may be under way. */
  readonly jobsPerOwner: number;
}

/** Submits for the owners of jobs. */
export interface Submissions {
  readonly submit: (owner: JobOwner, submission: GatewaySubmission) => Promise<SubmitResult>;
  /** Resolves once every submission under way has its answer. */
  readonly settled: () => Promise<void>;
}

/** Why a job failed whose submission got no answer. */
const neverArrived = 'The answer to the submission was lost, and the service knows no such job.';

/** How often a process asks for the answer that another one waits for. */
const lookAgainMs = 250;

/** How long a caller waits who has as many jobs as it may: when one of them will end is not known, and asking again costs little. */
const retryAfterS = 5;

/**
 * Submits each record once: the claim of its key comes before the POST, and so does the record with the id of the submission, by which
 * a job can be found whose answer never came.
 */
export const submissions = (context: SubmissionContext): Submissions => {
  const {
    clock,
    uuid,
    index,
    registry,
    following,
    held,
    shared,
    upstreams,
    retentionMs,
    jobsPerOwner,
    stopped,
  } = context;
  const underWay = new Set<Promise<SubmitResult>>();
  /** Keys whose first submission has no answer yet: equal ones wait for that. */
  const claims = new Map<
    string,
    { readonly workflow: GatewaySubmission['workflow']; readonly result: Promise<SubmitResult> }
  >();
  const perOwner = new Map<string, number>();

  const isOver = ({ name, limits }: JobOwner): boolean => {
    const running = registry.ofOwner(name).filter(({ record }) => record.ended === undefined).length;
    return running + (perOwner.get(name) ?? 0) >= (limits?.jobs ?? jobsPerOwner);
  };

  /** The job as another process found it, where this one stood still for so long that it lost the job. */
  const takenElsewhere = async ({ id, owner }: JobRecord): Promise<GatewayJob | undefined> => {
    if (await held.isHeld(id).catch(() => true)) return undefined;
    await shared.sync(owner);
    return registry.get(id);
  };

  /** Puts up a job of the service and follows it; `lost` is its state where the service knows no such job. */
  const take = async (
    record: JobRecord,
    upstreamJob: UpstreamJob,
    upstream: Upstream,
    lost: (state: JobState) => JobState,
  ): Promise<GatewayJob> => {
    const { workflow } = record;
    const { promptId } = upstreamJob;
    const elsewhere = await takenElsewhere(record);
    if (elsewhere !== undefined) {
      await index.update(record.id, { promptId }).catch(() => undefined);
      return elsewhere;
    }
    const [job] = await Promise.all([
      registry.open({ ...record, promptId }, initialJobState({ workflow, promptId })),
      // The job runs either way; a local server's is found by the id of the submission.
      index.update(record.id, { promptId }).catch(() => undefined),
    ]);
    following.follow(record.id, upstreamJob, () => upstream.job(promptId), lost);
    return job;
  };

  /** Puts up a job of which the service may know, and looks for it there. */
  const seek = async (record: JobRecord, upstream: Upstream, error: ServiceError): Promise<GatewayJob> => {
    const job = await registry.open(record, initialJobState({ workflow: record.workflow }));
    followLost(context, record, upstream, error);
    return job;
  };

  const post = async (record: JobRecord, submission: GatewaySubmission): Promise<SubmitResult> => {
    const upstream = upstreams[record.client];
    if (upstream === undefined) throw new Error(`There is no client ${record.client}.`);
    const { workflow, resolved = workflow, extraData, partnerKey } = submission;
    const { submissionId } = record;
    const answer = await upstream.submit(resolved, {
      ...{ extraData, partnerKey, submissionId },
      owner: record.owner,
    })();
    if (E.isLeft(answer)) {
      if (answer.left._tag !== 'OutcomeUnknown') {
        held.delete(record.id);
        await index.remove(record.id);
        return { _tag: 'refused', error: answer.left };
      }
      if (upstream.submissionIds !== 'jobs') {
        const job = (await takenElsewhere(record)) ?? (await seek(record, upstream, answer.left));
        return { _tag: 'accepted', job, replayed: false, error: answer.left };
      }
      // The service has made a job of this id, or none at all.
      const job = await take(record, upstream.job(submissionId), upstream, (state) =>
        endedAs(state, 'failed', unknownFailure(neverArrived)),
      );
      return { _tag: 'accepted', job, replayed: false, error: answer.left };
    }
    const job = await take(record, answer.right, upstream, (state) => endedAs(state, 'untraceable'));
    return { _tag: 'accepted', job, replayed: false };
  };

  const begin = (record: JobRecord, submission: GatewaySubmission): Promise<SubmitResult> => {
    const { owner } = record;
    perOwner.set(owner, (perOwner.get(owner) ?? 0) + 1);
    const result = post(record, submission).finally(() => {
      underWay.delete(result);
      const left = (perOwner.get(owner) ?? 1) - 1;
      if (left > 0) perOwner.set(owner, left);
      else perOwner.delete(owner);
    });
    underWay.add(result);
    return result;
  };

  const claim = async (owner: JobOwner, submission: GatewaySubmission): Promise<SubmitResult> => {
    const { workflow, metadata, key, template, client = Object.keys(upstreams)[0] ?? '' } = submission;
    const createdAt = clock.wall();
    const record: JobRecord = {
      id: uuid(),
      owner: owner.name,
      client,
      createdAt,
      expiresAt: createdAt + retentionMs,
      workflow,
      ...(key !== undefined && { key }),
      ...(metadata !== undefined && { metadata }),
      ...(template !== undefined && { template }),
      submissionId: uuid(),
    };
    if (key === undefined && isOver(owner)) return { _tag: 'limit', retryAfterS };
    const added = await index.add(record, held.lease);
    if (added._tag === 'full') return { _tag: 'limit', retryAfterS };
    if (added._tag === 'keyUsed') {
      return added.existing === undefined
        ? { _tag: 'keyUsed' }
        : ofEarlier(owner, added.existing, submission);
    }
    held.add(record.id);
    for (const evicted of added.evicted) void registry.remove(evicted);
    if (isOver(owner)) {
      held.delete(record.id);
      await index.remove(record.id);
      return { _tag: 'limit', retryAfterS };
    }
    return begin(record, submission);
  };

  /** The answer that the key's job got, where a replay was asked for and the job is of the same workflow. */
  const ofEarlier = async (
    owner: JobOwner,
    existing: JobRecord,
    submission: GatewaySubmission,
  ): Promise<SubmitResult> => {
    const { id, workflow } = existing;
    if (submission.replay !== true || !isSame(workflow, submission.workflow)) return { _tag: 'keyUsed' };
    for (;;) {
      if (registry.get(id) === undefined) await shared.sync(existing.owner);
      const job = registry.get(id);
      if (job !== undefined) return { _tag: 'accepted', job, replayed: true };
      // Another process waits for the service's answer, or the job is gone.
      if (index.leases === undefined || stopped.aborted) return { _tag: 'keyUsed' };
      if ((await index.get(id)) === undefined) return claim(owner, submission);
      await firstValueFrom(timerOn(clock, lookAgainMs), { defaultValue: undefined });
    }
  };

  return {
    submit: (owner, submission) => {
      const { key, workflow, replay } = submission;
      if (key === undefined) return claim(owner, submission);
      const name = JSON.stringify([owner.name, key]);
      const first = claims.get(name);
      if (first === undefined) {
        const result = claim(owner, submission).finally(() => claims.delete(name));
        claims.set(name, { workflow, result });
        return result;
      }
      if (replay !== true || !isSame(first.workflow, workflow)) return Promise.resolve({ _tag: 'keyUsed' });
      return first.result.then((answer) => {
        if (answer._tag === 'accepted') return { ...answer, replayed: true };
        return answer._tag === 'refused' ? answer : claim(owner, submission);
      });
    },
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
};

const isSame = (one: GatewaySubmission['workflow'], other: GatewaySubmission['workflow']): boolean =>
  writeExactJson(one) === writeExactJson(other);
