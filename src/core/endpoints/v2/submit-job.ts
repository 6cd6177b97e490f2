import type { Endpoint } from '../endpoint.js';
import { type JobDocument, reading, v2Root } from './job.js';
import { noNodeErrors } from '../../state/node-errors.js';
import type { Submission, SubmitFields } from '../submit.js';
import type { SubmitRequests } from '../submit-requests.js';
import type { Workflow } from '../../protocol/workflow.js';
import { writeMembers } from '../../protocol/json/write-once.js';

/** For how long a service that is not ready, or full, is asked again: as long as the vendor's own client does. */
const waitsOutMs = 60_000;

/**
 * `POST /api/v2/jobs`: asks for one run of a workflow (docs/protocol.md, chapter 12.3).
 *
 * The body is made at once. Every attempt carries the same key, so that the service takes at most one of them.
 */
export const submitJobEndpoint = (
  workflow: Workflow,
  {
    extraData,
    partnerKey,
    labels,
  }: Pick<SubmitFields, 'extraData' | 'partnerKey'> & Pick<SubmitRequests, 'labels'>,
  idempotencyKey: string,
): Endpoint<Submission> => ({
  method: 'POST',
  path: `${v2Root}/jobs`,
  headers: { 'idempotency-key': idempotencyKey },
  json: writeMembers({
    workflow,
    metadata: labels,
    extra_data:
      extraData || partnerKey
        ? { ...extraData, ...(partnerKey && { [partnerKey.field]: partnerKey.value }) }
        : undefined,
  }),
  idempotency: 'submission',
  waitsOutMs,
  read: reading(submissionOf),
});

const submissionOf = ({ id, queue_position: number }: JobDocument): Submission => ({
  promptId: id,
  ...(typeof number === 'number' && { number }),
  nodeErrors: noNodeErrors,
});
