import type { Refusal } from '../http/refusal.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { invalidWorkflow, refusal } from './refusal.js';
import { checkWidth } from './node-bounds.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { idempotencyKey, v2ExtraData, v2Submission, workflowNode } from '../contract/requests.js';
import { isWellFormed } from '../../../core/protocol/path-part.js';
import { readMetadata } from './metadata.js';
import { membersOf } from '../contract/shapes.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** What `POST /api/v2/jobs` asks for. */
export interface V2Submission {
  /** As submitted, references intact. */
  readonly workflow: Workflow;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  /** The caller's key for partner nodes, which goes to the service and nowhere else. */
  readonly partnerKey: string | undefined;
  /** `extra_data` without credentials. */
  readonly extraData: Readonly<Record<string, unknown>>;
}

/** Reads the body of a submission: the body's form first, then its members, the labels and the workflow. */
export const readSubmission = (body: unknown): Either<Refusal, V2Submission> => {
  if (!isJsonObject(body)) return left(refusal(400, 'invalid_request', 'The body is no JSON object.'));
  const extra = body['extra_data'] ?? {};
  if (!isJsonObject(extra)) return left(invalidWorkflow('`extra_data` is no object.'));
  const unknown =
    Object.keys(body).find((name) => !bodyMembers.has(name)) ??
    Object.keys(extra)
      .filter((name) => !extraMembers.has(name))
      .map((name) => `extra_data.${name}`)[0];
  if (unknown !== undefined) return left(invalidWorkflow(`The body takes no \`${unknown.slice(0, 100)}\`.`));
  const { api_key_comfy_org: apiKey, extra_pnginfo: pngInfo } = extra;
  if (apiKey !== undefined && apiKey !== null && (typeof apiKey !== 'string' || apiKey === '')) {
    return left(invalidWorkflow('`extra_data.api_key_comfy_org` is no text.'));
  }
  const metadata = readMetadata(body['metadata']);
  if (isLeft(metadata)) return metadata;
  const workflow = readGraph(body['workflow']);
  if (isLeft(workflow)) return workflow;
  return right({
    workflow: workflow.right,
    metadata: metadata.right,
    partnerKey: typeof apiKey === 'string' ? apiKey : undefined,
    extraData: pngInfo === undefined ? {} : { extra_pnginfo: pngInfo },
  });
};

/** Both the body and its `extra_data` are closed; `webhook_url` and `inputs` are reserved, and refused where they are null as well. */
const bodyMembers = membersOf(v2Submission);
const extraMembers = membersOf(v2ExtraData);

const readGraph = (graph: unknown): Either<Refusal, Workflow> => {
  if (!isJsonObject(graph)) return left(invalidWorkflow('The body has no `workflow`, an object of nodes.'));
  if (Array.isArray(graph['nodes'])) {
    const message = 'The workflow is one as the editor saves it; convert it to the API format.';
    return left(refusal(422, 'workflow_format_ui', message));
  }
  const tooWide = checkWidth(graph);
  if (tooWide !== undefined) return left(tooWide);
  const nodes = Object.entries(graph);
  if (nodes.length === 0) return left(invalidWorkflow('The workflow has no nodes.'));
  if (!nodes.every(([id]) => isWellFormed(id))) {
    return left(
      invalidWorkflow('The id of a node holds half of a surrogate pair, which no address can carry.'),
    );
  }
  const [wrong] = nodes.find(([, node]) => !workflowNode.is(node)) ?? [];
  if (wrong === undefined) return right(graph as Workflow);
  const errors = {
    [wrong]: [{ field: 'class_type', reason: 'no node: it needs `class_type` and `inputs`' }],
  };
  return left(invalidWorkflow('A member of the workflow is no node.', errors));
};

/** Reads the header `Idempotency-Key`: 1 to 255 printable characters, or none. */
export const readIdempotencyKey = (header: string | null): Either<Refusal, string | undefined> => {
  if (header === null) return right(undefined);
  return idempotencyKey.is(header)
    ? right(header)
    : left(refusal(400, 'invalid_request', '`Idempotency-Key` takes 1 to 255 printable characters.'));
};
