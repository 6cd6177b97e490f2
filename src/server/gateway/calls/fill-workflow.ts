import { type Either, left, right } from '../../../core/protocol/either.js';
import { inputFinder, placeFinder } from '../../../workflow/edit/find-by-name.js';
import { inputValue, type PlacedValue, withValues } from '../../../workflow/edit/set-input.js';
import type { Refusal } from '../http/refusal.js';
import { refusal } from '../v2/refusal.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** Sets inputs of a workflow by names such as `Positive.text`, as `setInput` does; takes no longer where there are many. */
export const fillWorkflow = (
  workflow: Workflow,
  inputs: Readonly<Record<string, unknown>>,
): Either<Refusal, Workflow> => {
  const find = inputFinder(workflow);
  const values: PlacedValue[] = [];
  for (const [name, value] of Object.entries(inputs)) {
    const place = find(name);
    if (place._tag === 'Left') {
      const { message } = place.left;
      return left(
        refusal(422, 'invalid_inputs', message, {
          details: { problems: [{ name, type: 'unknown_input', message }] },
        }),
      );
    }
    values.push({ ...place.right, value: inputValue(workflow, value) });
  }
  return right(values.length === 0 ? workflow : withValues(workflow, values));
};

/** Gives the types of the values that inputs have in a workflow, by their names. */
export const typesOfInputs = (workflow: Workflow): ((name: string) => string) => {
  const placeOf = placeFinder(workflow);
  return (name) => {
    const place = placeOf(name);
    return place === undefined ? 'undefined' : typeof workflow[place.nodeId]?.inputs[place.input];
  };
};
