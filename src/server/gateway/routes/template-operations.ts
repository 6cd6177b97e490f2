import { answerOf, wantsReplay } from '../v2/submit-job.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import type { AssetInput } from '../../../workflow/file-input.js';
import type { GatewayTemplate, GatewayTemplates, TemplateResult } from '../templates.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { json } from '../http/respond.js';
import type { RouteContext } from '../v2/context.js';
import { membersOf } from '../contract/shapes.js';
import { nativeJob } from './native-job.js';
import { readIdempotencyKey } from '../v2/read-submission.js';
import { readMetadata } from '../v2/metadata.js';
import { refusal } from '../v2/refusal.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import { templateSubmission } from '../contract/requests.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** The operations on templates: their schemas, and a job made of one and its inputs. */
export const templateOperations = ({ jobs, assets }: RouteContext, templates: GatewayTemplates) => ({
  list: (): Promise<Response> =>
    Promise.resolve(
      json({ templates: Object.entries(templates).map(([name, { jsonSchema }]) => ({ name, jsonSchema })) }),
    ),
  submit: async (call: RouteCall): Promise<Response | Refusal> => {
    const { name = '' } = call.params;
    const template = Object.hasOwn(templates, name) ? templates[name] : undefined;
    if (template === undefined) return refusal(404, 'template_not_found', 'There is no such template.');
    const key = readIdempotencyKey(call.request.headers.get('idempotency-key'));
    if (isLeft(key)) return key.left;
    const read = readInputs(await call.json());
    if (isLeft(read)) return read.left;
    const filled = fill(template, read.right.inputs);
    if (isLeft(filled)) return filled.left;
    const prepared = await assets.prepare(call.caller, filled.right);
    if (isLeft(prepared)) return prepared.left;
    const result = await jobs.submit(call.caller, {
      workflow: filled.right,
      resolved: prepared.right.workflow,
      client: prepared.right.client,
      metadata: read.right.metadata,
      key: key.right,
      replay: wantsReplay(call.request),
      template: name,
    });
    return answerOf(call, result, ({ base }, { job }) => nativeJob(job, base));
  },
});

/** What a request for a template holds. */
interface TemplateRequest {
  readonly inputs: unknown;
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

const members = membersOf(templateSubmission);

const readInputs = (body: unknown): Either<Refusal, TemplateRequest> => {
  const unknown = isJsonObject(body) ? Object.keys(body).find((name) => !members.has(name)) : '';
  if (!isJsonObject(body) || unknown !== undefined) {
    return left(
      refusal(422, 'validation_error', 'The body takes `inputs` and `metadata`, and no other member.'),
    );
  }
  const metadata = readMetadata(body['metadata']);
  return isLeft(metadata) ? metadata : right({ inputs: body['inputs'] ?? {}, metadata: metadata.right });
};

/**
 * Fills a template. A file that was uploaded here may stand for an input as its `core/ASSET` reference, or as `POST /uploads` gave it:
 * to the template it is a name, and the reference takes its place afterwards.
 */
const fill = (template: GatewayTemplate, inputs: unknown): Either<Refusal, Workflow> => {
  const references = new Map<string, AssetInput>();
  const named = isJsonObject(inputs)
    ? Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => {
          const reference = referenceOf(value);
          if (reference === undefined) return [name, value];
          const placeholder = `asset ${crypto.randomUUID()}`;
          references.set(placeholder, reference);
          return [name, placeholder];
        }),
      )
    : inputs;
  const filled = (template as unknown as (inputs: unknown) => TemplateResult)(named);
  if (filled._tag === 'Right') return right(withReferences(filled.right, references));
  const problems = filled.left.problems.map(({ name, type, message }) => ({ name, type, message }));
  return left(refusal(422, 'invalid_inputs', filled.left.message, { details: { problems } }));
};

const referenceOf = (value: unknown): AssetInput | undefined => {
  const { __type, info, asset } = isJsonObject(value) ? value : {};
  const named = __type === 'core/ASSET' ? info : asset;
  return isJsonObject(named) && typeof named['id'] === 'string'
    ? { __type: 'core/ASSET', info: { id: named['id'] } }
    : undefined;
};

/** A template sets inputs of nodes, so a placeholder stands nowhere deeper. */
const withReferences = (workflow: Workflow, references: ReadonlyMap<string, AssetInput>): Workflow =>
  references.size === 0
    ? workflow
    : Object.fromEntries(
        Object.entries(workflow).map(([id, node]) => {
          const inputs = Object.entries(node.inputs).map(([name, value]) => [
            name,
            (typeof value === 'string' ? references.get(value) : undefined) ?? value,
          ]);
          return [id, { ...node, inputs: Object.fromEntries(inputs) as Readonly<Record<string, unknown>> }];
        }),
      );
