import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { findInputBy } from '../../../workflow/edit/find-input.js';
import { inputFinder } from '../../../workflow/edit/find-by-name.js';
import { checkWidth } from '../v2/node-bounds.js';
import { checkNames } from '../v2/input-names.js';
import { membersOf } from '../contract/shapes.js';
import type { NodeDefinitions } from '../../../workflow/definitions.js';
import { refusal } from '../v2/refusal.js';
import type { Refusal } from '../http/refusal.js';
import type { SavedInput, SavedTemplate } from '../../joblog/template-store.js';
import { targetsOf } from './known-templates.js';
import { template } from '../../../workflow/edit/template.js';
import { templateRegistration } from '../contract/templates.js';
import type { TemplateTarget } from '../../../workflow/edit/template-types.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** What a caller says of a template. */
export type Registration = Omit<SavedTemplate, 'owner' | 'name' | 'createdAt' | 'updatedAt'>;

/** Reads `PUT /templates/:name`; the definitions, where there are any, give its schema bounds and choices. */
export const readRegistration = (
  body: unknown,
  definitions: NodeDefinitions | undefined,
): Either<Refusal, Registration> => {
  if (!templateRegistration.is(body) || !isClosed(body)) {
    const message =
      'The body takes `workflow` in API format, `inputs` by name, each the name of an input or `{ id, input, optional, label }`, and ' +
      '`title`, `description` and `ui`, and no other member.';
    return left(refusal(422, 'validation_error', message));
  }
  const { title, description, ui } = body;
  const workflow = body.workflow as Workflow;
  const targets: readonly unknown[] = Object.values(body.inputs);
  const names = targets.filter((target) => typeof target === 'string');
  const unfit = checkNames(Object.keys(body.inputs)) ?? checkNames(names) ?? checkWidth(workflow);
  if (unfit !== undefined) return left(unfit);
  const inputs = new Map<string, SavedInput>();
  const find = inputFinder(workflow);
  for (const [name, target] of Object.entries(body.inputs)) {
    const found = findInputBy(find, workflow, target as TemplateTarget, definitions);
    if (isLeft(found)) return left(noSuchInput(name, found.left.message));
    const { nodeId: id, input } = found.right;
    const { optional, label } = typeof target === 'string' ? {} : target;
    inputs.set(name, {
      ...{ id, input },
      ...(optional !== undefined && { optional }),
      ...(label !== undefined && { label }),
    });
  }
  const saved = Object.fromEntries(inputs);
  const made = template(workflow, targetsOf(saved), definitions);
  if (isLeft(made)) return left(refusal(422, 'invalid_template', made.left.message));
  return right({
    ...{ workflow, inputs: saved, jsonSchema: labelled(made.right.jsonSchema, saved) },
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(ui !== undefined && { ui }),
  });
};

const members = membersOf(templateRegistration);

const isClosed = (body: object): boolean => Object.keys(body).every((name) => members.has(name));

const noSuchInput = (name: string, message: string): Refusal =>
  refusal(422, 'invalid_template', `The input ${name} sets nothing of the workflow: ${message}`);

/** The schema of the inputs with their labels as titles. */
const labelled = (
  schema: Readonly<Record<string, unknown>>,
  inputs: Readonly<Record<string, SavedInput>>,
): Readonly<Record<string, unknown>> => {
  const properties = schema['properties'] as Readonly<Record<string, object>>;
  const titled = Object.entries(properties).map(([name, one]) => {
    const label = inputs[name]?.label;
    return [name, label === undefined ? one : { ...one, title: label }];
  });
  return { ...schema, properties: Object.fromEntries(titled) as unknown };
};
