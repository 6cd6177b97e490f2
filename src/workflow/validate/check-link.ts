import type { InputDefinition } from '../definitions.js';
import { type Breakdown, error, type Finding, shown, warning } from './finding.js';
import { choicesOf, isMultiple } from './choices.js';
import { isSame } from './engine-values.js';
import type { Prompt, PromptNode } from './read-prompt.js';

/** What is to say of a link; without `target` the engine does not go where it leads. */
export interface LinkFault {
  readonly target?: PromptNode;
  readonly finding: Finding | Breakdown;
}

/** Checks a list, which the engine takes for a link whatever the type of the input; gives the node where it leads. */
export const checkLink = (
  input: InputDefinition,
  link: readonly unknown[],
  prompt: Prompt,
): PromptNode | LinkFault => {
  if (link.length !== 2)
    return {
      finding: error('bad_linked_input', 'is a list, but no link [node id, slot].', literalList(input, link)),
    };
  const [id, index] = link;
  const target = typeof id === 'string' ? prompt.get(id) : undefined;
  if (target === undefined) return { finding: deadLink(input, link, prompt) };

  const types = target.nodeClass.outputs;
  const slot = slotOf(index, types.length);
  if (slot === undefined) {
    const fix = fittingLink(input, target);
    return {
      finding: {
        breaksDown: `links to slot ${shown(index)} of node ${target.id}, whose class ${target.nodeClass.name} has ${slotsText(types.length)}.`,
        ...(fix !== undefined && { fix }),
      },
    };
  }
  if (!fits(types[slot], input)) {
    return {
      finding: error(
        'return_type_mismatch',
        `takes ${typeText(typeOf(input))}, but slot ${slot} of node ${target.id} (${target.nodeClass.name}) gives ${typeText(types[slot])}.`,
        fittingLink(input, target),
      ),
    };
  }
  return index === slot ? target : { target, finding: oddIndex(index, [target.id, slot]) };
};

/** The output that an index of a Python tuple means; undefined where that throws. */
const slotOf = (index: unknown, count: number): number | undefined => {
  const given = typeof index === 'boolean' ? Number(index) : index;
  if (typeof given !== 'number' || !Number.isInteger(given)) return undefined;
  const slot = given < 0 ? count + given : given + 0;
  return slot >= 0 && slot < count ? slot : undefined;
};

const slotsText = (count: number): string =>
  count === 0
    ? 'no outputs'
    : count === 1
      ? 'one output, slot 0'
      : `${count} outputs, slots 0 to ${count - 1}`;

const oddIndex = (index: unknown, fix: readonly [string, number]): Finding =>
  warning(
    'link_index_coerced',
    `links to slot ${shown(index)}, which the engine reads as slot ${fix[1]}.`,
    fix,
  );

const typeOf = (input: InputDefinition): unknown => (input.isListForm ? input.choices : input.type);

/** Whether the output's type passes into the input; `*` on either side does, as the definitions tell no more of it. */
const fits = (output: unknown, input: InputDefinition): boolean => {
  const wanted = typeOf(input);
  if (output === wanted || isAny(output) || isAny(wanted)) return true;
  if (typeof output === 'string' && typeof wanted === 'string') {
    const offered = new Set(output.split(',').map((name) => name.trim()));
    return wanted.split(',').some((name) => offered.has(name.trim()));
  }
  if (!Array.isArray(output) || !Array.isArray(wanted) || output.length !== wanted.length) return false;
  return output.every((value, at) => isSame(value, wanted[at]));
};

const isAny = (type: unknown): boolean =>
  type === '*' || (typeof type === 'string' && /^COMFY_\w+_V3$/u.test(type));

const typeText = (type: unknown): string =>
  typeof type === 'string' ? type : Array.isArray(type) ? 'one of a list' : 'an unknown type';

/** The only output of the node that has the type, else the only one that fits. */
const fittingLink = (input: InputDefinition, { id, nodeClass }: PromptNode): unknown => {
  const types = nodeClass.outputs;
  const exact = types.flatMap((type, slot) => (type === typeOf(input) ? [slot] : []));
  const slots = exact.length > 0 ? exact : types.flatMap((type, slot) => (fits(type, input) ? [slot] : []));
  return slots.length === 1 ? [id, slots[0]] : undefined;
};

const deadLink = (input: InputDefinition, link: readonly unknown[], prompt: Prompt): Breakdown => {
  const [id, slot] = link;
  const asText = typeof id === 'string' ? id.trim() : typeof id === 'number' ? String(id) : undefined;
  const fix = asText !== undefined && prompt.has(asText) ? [asText, slot] : literalList(input, link);
  return {
    breaksDown: `links to node ${shown(id)}, which the workflow does not have.`,
    ...(fix !== undefined && { fix }),
  };
};

/** A list of choices is no link when it is wrapped. */
const literalList = (input: InputDefinition, values: readonly unknown[]): unknown => {
  const listed = isMultiple(input) ? choicesOf(input) : undefined;
  return listed !== undefined && values.every(listed.has) ? { __value__: [...values] } : undefined;
};
