import { counted } from '../../core/protocol/counted.js';
import type { InputDefinition } from '../definitions.js';
import { error, type Finding, readAs, shown, thrown, warning } from './finding.js';
import { choicesOf, isMultiple } from './choices.js';
import { idOf } from '../values.js';
import { isDynamic } from './live-inputs.js';
import { typesMeet } from '../types-meet.js';
import { isSame } from './engine-values.js';
import type { Prompt, PromptNode } from './read-prompt.js';

/**
 * Checks a list, which the engine takes for a link whatever the type of the input. It goes where the link leads unless that is an
 * error.
 */
export const checkLink = (
  input: InputDefinition,
  link: readonly unknown[],
  prompt: Prompt,
): Finding | undefined => {
  if (link.length !== 2)
    return error('bad_linked_input', 'is no link [node id, slot].', literalList(input, link));
  const [id, index] = link;
  const target = typeof id === 'string' ? prompt.get(id) : undefined;
  if (!target) return deadLink(input, link, prompt);

  const types = target.definition.outputTypes;
  const slot = slotOf(index, types.length);
  const source = `node ${target.id} (${target.className})`;
  if (slot === undefined) {
    return error(
      thrown,
      `links to slot ${shown(index)} of ${source}, which has ${counted(types.length, 'output')}.`,
      fittingLink(input, target),
    );
  }
  if (!fits(types[slot], input)) {
    return error(
      'return_type_mismatch',
      `takes ${typeText(typeOf(input))}, but slot ${slot} of ${source} gives ${typeText(types[slot])}.`,
      fittingLink(input, target),
    );
  }
  return index === slot ? undefined : warning('link_index_coerced', readAs(index, slot), [target.id, slot]);
};

/** The output that an index of a Python tuple means; undefined if that throws. */
const slotOf = (index: unknown, count: number): number | undefined => {
  const given = typeof index === 'boolean' ? Number(index) : index;
  if (typeof given !== 'number' || !Number.isInteger(given)) return undefined;
  const slot = given < 0 ? count + given : given + 0;
  return slot >= 0 && slot < count ? slot : undefined;
};

const typeOf = (input: InputDefinition): unknown => (input.isListForm ? input.choices : input.type);

/** Whether the output's type passes into the input; `*` on either side does, as the definitions tell no more of it. */
const fits = (output: unknown, input: InputDefinition): boolean => {
  const wanted = typeOf(input);
  if (output === wanted || isAny(output) || isAny(wanted)) return true;
  if (typeof output === 'string' && typeof wanted === 'string') return typesMeet(output, wanted);
  if (!Array.isArray(output) || !Array.isArray(wanted) || output.length !== wanted.length) return false;
  return output.every((value, at) => isSame(value, wanted[at]));
};

const isAny = (type: unknown): boolean => type === '*' || (typeof type === 'string' && isDynamic(type));

const typeText = (type: unknown): string =>
  typeof type === 'string' ? type : Array.isArray(type) ? 'one of a list' : 'an unknown type';

/** The only output of the node that has the type, else the only one that fits. */
const fittingLink = (input: InputDefinition, { id, definition }: PromptNode): unknown => {
  const slotsWhere = (isRight: (type: unknown) => boolean) =>
    definition.outputTypes.flatMap((type, slot) => (isRight(type) ? [slot] : []));
  const exact = slotsWhere((type) => type === typeOf(input));
  const slots = exact.length > 0 ? exact : slotsWhere((type) => fits(type, input));
  return slots.length === 1 ? [id, slots[0]] : undefined;
};

const deadLink = (input: InputDefinition, link: readonly unknown[], prompt: Prompt): Finding => {
  const [id, slot] = link;
  const asText = idOf(id)?.trim();
  const fix = asText !== undefined && prompt.has(asText) ? [asText, slot] : literalList(input, link);
  return error(thrown, `links to node ${shown(id)}, which is missing.`, fix);
};

/** A list of choices is no link when it is wrapped. */
const literalList = (input: InputDefinition, values: readonly unknown[]): unknown => {
  const listed = isMultiple(input) ? choicesOf(input) : undefined;
  return listed && values.every(listed.has) ? { __value__: [...values] } : undefined;
};
