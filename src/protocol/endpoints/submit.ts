import { isJsonObject } from '../is-json-object.js';
import type { Endpoint } from './endpoint.js';
import { readSubmission } from '../answers/read-submission.js';
import type { Submission } from '../answers/submission.js';
import type { Workflow } from '../workflow/workflow.js';

/** What a submission sends besides the workflow. */
export interface SubmitFields {
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
  { extraData, partnerKey, clientId, promptId }: SubmitFields = {},
): Endpoint<Submission> => ({
  method: 'POST',
  path: '/api/prompt',
  json: JSON.stringify({
    prompt: workflow,
    client_id: clientId,
    prompt_id: promptId,
    extra_data:
      extraData || partnerKey
        ? { ...extraData, ...(partnerKey && { [partnerKey.field]: partnerKey.value }) }
        : undefined,
  }),
  promptId,
  repeat: 'submission',
  read: readSubmission,
  verdict: (json) => (isRefusal(json) ? 'refused' : undefined),
});

/** Some deployments refuse with the status of a success: an `error` and no id. */
const isRefusal = (json: unknown): boolean =>
  isJsonObject(json) && Boolean(json['error']) && !('prompt_id' in json);
