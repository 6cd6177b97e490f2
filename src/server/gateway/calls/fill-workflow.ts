import { type Either, left, right } from '../../../core/protocol/either.js';
import { findByName } from '../../../workflow/edit/find-by-name.js';
import type { Refusal } from '../http/refusal.js';
import { refusal } from '../v2/refusal.js';
import { setInput } from '../../../workflow/edit/set-input.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** Sets inputs of a workflow by names such as `Positive.text`, as `setInput` does. */
export const fillWorkflow = (
  workflow: Workflow,
  inputs: Readonly<Record<string, unknown>>,
): Either<Refusal, Workflow> => {
  let filled = workflow;
  for (const [name, value] of Object.entries(inputs)) {
    const set = setInput(filled, name, value);
    if (set._tag === 'Left') {
      const { message } = set.left;
      return left(
        refusal(422, 'invalid_inputs', message, {
          details: { problems: [{ name, type: 'unknown_input', message }] },
        }),
      );
    }
    filled = set.right;
  }
  return right(filled);
};

/** The type of the value that an input has in a workflow. */
export const typeOfInput = (workflow: Workflow, name: string): string => {
  const place = findByName(workflow, name);
  return place._tag === 'Left' ? 'undefined' : typeof workflow[place.right.nodeId]?.inputs[place.right.input];
};
