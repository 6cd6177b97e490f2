import { fieldOf, type FormField } from './form-field.js';
import { type InputDefinition, type NodeDefinitions, readDefinition } from '../definitions.js';
import { linkOf, namer } from './nodes-of.js';
import { factsOf } from './node-facts.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { liveInputs } from '../validate/live-inputs.js';
import { namePart } from './name.js';
import { widgetOf } from '../convert/widget-plan.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Describes the inputs of a workflow that a person can set, so that a page can show a form for any workflow.
 *
 * Inputs that only another node can feed, such as models and pictures, are left out; an input with a field of its own that is linked
 * has `link`. The inputs of classes that the definitions lack are described by their values.
 *
 * @param definitions - The service's `object_info`, as `client.rest.objectInfo()` gives it.
 *
 * @example
 * ```ts
 * import { describeInputs, type FormField, type NodeDefinitions } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const texts = (workflow: Workflow, definitions: NodeDefinitions): FormField[] =>
 *   describeInputs(workflow, definitions).filter(({ control, link }) => control === 'text' && link === undefined);
 * ```
 */
export const describeInputs = (workflow: Workflow, definitions: NodeDefinitions): readonly FormField[] =>
  fieldsOf(workflow, definitions, { isWanted: isSettable }).map((field, order) => ({ ...field, order }));

/** The fields of the inputs that `isWanted` lets pass, of all nodes or of these; `order` is not set. */
export const fieldsOf = (
  workflow: Workflow,
  definitions: NodeDefinitions | undefined,
  {
    isWanted = () => true,
    ofNodes,
  }: {
    readonly isWanted?: (workflow: Workflow, input: InputDefinition, given: unknown) => boolean;
    readonly ofNodes?: ReadonlySet<string>;
  } = {},
): readonly FormField[] => {
  const nodes = factsOf(workflow);
  const nameOf = namer(nodes);
  return nodes.flatMap((node) => {
    if (ofNodes?.has(node.id) === false) return [];
    const definition = readDefinition(definitions, node.class);
    const inputs: unknown = workflow[node.id]?.inputs;
    const given = isJsonObject(inputs) ? inputs : {};
    const declared =
      definition === undefined ? Object.keys(given).map(undeclared) : liveInputs(definition.inputs, given);
    return declared.flatMap((input) => {
      const value = Object.hasOwn(given, input.name) ? given[input.name] : undefined;
      if (!isWanted(workflow, input, value)) return [];
      return [
        {
          name: `${nameOf(node)}.${namePart(input.name)}`,
          nodeId: node.id,
          input: input.name,
          class: node.class,
          title: node.title ?? definition?.displayName ?? node.class,
          order: 0,
          ...fieldOf(workflow, input, value),
          ...((definition?.isForeign === true || definition?.takesAnything === true) &&
            isLimited(input) && { serverOnly: true as const }),
        },
      ];
    });
  });
};

const isLimited = ({ choices, options: { min, max } }: InputDefinition): boolean =>
  (choices ?? min ?? max) !== undefined;

const undeclared = (name: string): InputDefinition => ({
  name,
  group: 'optional',
  type: 'unknown',
  options: {},
  isListForm: false,
});

/** A widget that sends its value, or a socket that has a value all the same. */
const isSettable = (workflow: Workflow, input: InputDefinition, given: unknown): boolean => {
  const widget = widgetOf(input);
  if (widget !== undefined) return !/^(?:IMAGEUPLOAD|AUDIOUPLOAD|AUDIO_UI)$/u.test(widget.type);
  return given !== undefined && linkOf(workflow, given) === undefined;
};
