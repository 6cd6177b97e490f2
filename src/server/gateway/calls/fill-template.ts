import type { AssetInput } from '../../../workflow/file-input.js';
import { type Either, left, right } from '../../../core/protocol/either.js';
import type { GatewayTemplate, TemplateResult } from '../templates.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { Refusal } from '../http/refusal.js';
import { refusal } from '../v2/refusal.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/**
 * Fills a template. A file that was uploaded here may stand for an input as its `core/ASSET` reference, or as `POST /uploads` gave it:
 * to the template it is a name, and the reference takes its place afterwards.
 */
export const fillTemplate = (template: GatewayTemplate, inputs: unknown): Either<Refusal, Workflow> => {
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
