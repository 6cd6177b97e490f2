import * as E from '../../../core/protocol/either.js';
import { endedAs } from '../../../core/state/ended-as.js';
import { followLost } from '../lost/follow-lost.js';
import type { GatewayJob, GatewaySubmission, SubmitResult } from '../model/gateway-jobs.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobRecord } from '../../joblog/job-index.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SubmissionContext } from './submission-context.js';
import { unknownFailure } from '../../../core/state/failure.js';
import type { Upstream, UpstreamJob } from '../upstream/upstream.js';

/** Why a job failed whose submission got no answer. */
const neverArrived = 'The answer to the submission was lost, and the service knows no such job.';

/** Makes what posts a recorded submission to its service, once, and follows the job that it becomes. */
export const postSubmission = (
  context: SubmissionContext,
): ((record: JobRecord, submission: GatewaySubmission) => Promise<SubmitResult>) => {
  const { index, registry, following, held, shared, upstreams } = context;

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

  return async (record: JobRecord, submission: GatewaySubmission): Promise<SubmitResult> => {
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
};
