import type { Refusal } from '../http/refusal.js';
import { json } from '../http/respond.js';
import type { RouteContext } from './context.js';
import { isLeft } from '../../../core/protocol/either.js';
import { jobDocument } from './job-document.js';
import { readIdempotencyKey, readSubmission } from './read-submission.js';
import { refusal, refusalOf } from './refusal.js';
import type { RouteCall } from '../http/route.js';
import type { SubmitResult } from '../model/gateway-jobs.js';

/** `POST /api/v2/jobs`: 201 means that the job is recorded, and that every later question finds it. */
export const submitJob =
  ({ jobs, assets }: RouteContext) =>
  async (call: RouteCall): Promise<Response | Refusal> => {
    const { request, caller } = call;
    const key = readIdempotencyKey(request.headers.get('idempotency-key'));
    if (isLeft(key)) return key.left;
    const submission = readSubmission(await call.json());
    if (isLeft(submission)) return submission.left;
    const prepared = await assets.prepareJob(caller, submission.right.workflow);
    if (isLeft(prepared)) return prepared.left;
    const result = await jobs.submit(caller, {
      ...submission.right,
      resolved: prepared.right.workflow,
      client: prepared.right.client,
      files: prepared.right.files,
      key: key.right,
      replay: wantsReplay(request),
    });
    return answerOf(call, result);
  };

/** Whether the caller asks for the first answer where its key is used; API v2 itself refuses the key. */
export const wantsReplay = ({ headers }: Request): boolean =>
  headers.get('idempotency-replay')?.trim().toLowerCase() === 'true';

/** Answers a submission with the document of its job, or with the refusal. */
export const answerOf = (
  call: RouteCall,
  result: SubmitResult,
  document = (call: RouteCall, { job }: Accepted): unknown => jobDocument(job, call.base),
): Response | Refusal => {
  switch (result._tag) {
    case 'accepted': {
      if (result.error !== undefined && !result.replayed) return unknownOutcome(result);
      const headers: Record<string, string> = result.replayed ? { 'idempotency-replayed': 'true' } : {};
      return json(document(call, result), 201, headers);
    }
    case 'keyUsed':
      return refusal(422, 'idempotency_key_reuse', 'This `Idempotency-Key` is used already.');
    case 'refused':
      return refusalOf(result.error);
    case 'limit':
      return noRoom(result);
  }
};

/** Says whose bound it is: a caller can do something about its own. */
const noRoom = ({ of, retryAfterS: waitS }: Extract<SubmitResult, { readonly _tag: 'limit' }>): Refusal => {
  const retryAfterS = Math.max(1, Math.ceil(waitS));
  if (of === 'all') {
    const message =
      'All callers together have as many jobs as this gateway keeps (maxJobs and maxSize of its index).';
    return refusal(503, 'overloaded', message, { retryAfterS });
  }
  const message =
    of === 'jobs'
      ? 'You have as many jobs under way as you may have (limits.jobs of the gateway).'
      : 'Your jobs under way have as many bytes as is kept of you (limits.keptBytes of the gateway).';
  return refusal(429, 'queue_full', message, { retryAfterS });
};

type Accepted = Extract<SubmitResult, { readonly _tag: 'accepted' }>;

/** The key stays used: another submission could be a second job. */
const unknownOutcome = ({ job, error }: Accepted): Refusal => {
  const { status, code, requestId }: Partial<Refusal> = error === undefined ? {} : refusalOf(error);
  const isOutage = status === 503 && code === 'upstream_unreachable';
  return refusal(
    isOutage ? 503 : 500,
    isOutage ? 'upstream_unreachable' : 'upstream_error',
    'The service did not say whether it took the job; the gateway never submits it again.',
    { details: { job_id: job.record.id }, ...(requestId !== undefined && { requestId }) },
  );
};
