import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';
import { type NodeErrors, readNodeErrors } from '../state/node-errors.js';
import type { Problem } from '../protocol/problem.js';
import { writeMembers } from '../protocol/json/write-once.js';
import type { SubmitRequests } from './submit-requests.js';
import type { Workflow } from '../protocol/workflow.js';

/** What a submission sends besides the workflow. */
export interface SubmitFields extends Omit<SubmitRequests, 'labels'> {
  readonly extraData?: Readonly<Record<string, unknown>>;
  /** The partner nodes' key and the member of `extra_data` that takes it. */
  readonly partnerKey?: { readonly field: string; readonly value: string };
  /** Only a local server needs it: it sends the job's events to the socket with this id. */
  readonly clientId?: string;
  /** The id that the job shall have; only a local server lets the client choose. */
  readonly promptId?: string;
}

/**
 * `POST /api/prompt`: asks for one run of a workflow (docs/protocol.md, chapter 2).
 *
 * The body is made at once, so a caller who changes the workflow afterwards changes nothing; throws what `JSON.stringify`
 * throws for a value that is no JSON.
 */
export const submitEndpoint = (
  workflow: Workflow,
  { extraData, partnerKey, clientId, promptId, previewMethod, ...asked }: SubmitFields = {},
): Endpoint<Submission> => ({
  method: 'POST',
  path: '/api/prompt',
  json: writeMembers({
    prompt: workflow,
    client_id: clientId,
    prompt_id: promptId,
    // An engine takes the mere presence of some members for a wish.
    ...(asked.front === true && { front: true }),
    number: asked.number,
    partial_execution_targets: asked.targets,
    workflow_id: asked.workflowId,
    extra_data:
      extraData || partnerKey || previewMethod
        ? {
            ...extraData,
            preview_method: previewMethod,
            ...(partnerKey && { [partnerKey.field]: partnerKey.value }),
          }
        : undefined,
  }),
  idempotency: 'submission',
  read: readSubmission,
  refusedAs: (json) => (isRefusal(json) ? 'refused' : undefined),
});

/** Some deployments refuse with the status of a success: an `error` and no id. */
const isRefusal = (json: unknown): boolean =>
  isJsonObject(json) && Boolean(json['error']) && !('prompt_id' in json);

/** The answer of an accepted submission. */
export interface Submission {
  /** The service's id of the new job. */
  readonly promptId: string;
  /** Its place in the queue, as the service counts; absent if it does not say. */
  readonly number?: number;
  /** Branches that were dropped while the rest was accepted. */
  readonly nodeErrors: NodeErrors;
  /** Integers of the workflow that may have been rounded when its JSON was parsed (`rounded_integer`); absent without any. */
  readonly problems?: readonly Problem[];
}

/**
 * Reads the answer of a submission. Only the job's id is required; an answer without it accepted nothing (docs/protocol.md, chapter 2).
 */
export const readSubmission = (json: unknown): E.Either<string, Submission> => {
  const { prompt_id: promptId, number, node_errors: nodeErrors } = isJsonObject(json) ? json : {};
  if (typeof promptId !== 'string' || promptId === '') return E.left('the answer names no prompt_id');
  return E.right({
    promptId,
    ...(typeof number === 'number' && { number }),
    nodeErrors: readNodeErrors(nodeErrors),
  });
};
