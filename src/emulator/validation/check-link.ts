import type { Crash, Problem, ValidateLinked, ValidationScope } from './problem.js';
import type { InputSpec } from '../engine/node-class.js';

/** A link that holds, one that has a problem, or one that breaks the check of the node that has it. */
export type LinkVerdict = { readonly valid: boolean; readonly problem?: Problem } | { readonly crash: Crash };

/** Checks an array value: it must be `[nodeId, slot]`, lead to a slot that exists and fits, of a node that is valid. */
export const checkLink = (
  name: string,
  spec: InputSpec,
  received: readonly unknown[],
  { graph, definitionOf }: ValidationScope,
  validate: ValidateLinked,
): LinkVerdict => {
  const info = { input_name: name, input_config: spec };
  if (received.length !== 2) {
    const extra_info = { ...info, received_value: received };
    return problem('bad_linked_input', 'A link is a list of node id and slot', name, extra_info);
  }
  const [upstreamId, slot] = received;
  const upstream = typeof upstreamId === 'string' ? graph.get(upstreamId) : undefined;
  if (!upstream || typeof upstreamId !== 'string') {
    return { crash: { type: 'KeyError', message: JSON.stringify(upstreamId) } };
  }
  const type = typeof slot === 'number' ? definitionOf(upstream)?.output[slot] : undefined;
  if (type === undefined)
    return { crash: { type: 'IndexError', message: `no slot ${JSON.stringify(slot)}` } };
  if (!typesMatch(type, spec[0])) {
    const details = `${name}, ${nameOf(type)} does not fit ${nameOf(spec[0])}`;
    const extra_info = { ...info, received_type: type, linked_node: received };
    return problem('return_type_mismatch', 'The linked output has another type', details, extra_info);
  }
  return { valid: validate(upstreamId, { name, spec, link: received }).valid };
};

const problem = (
  type: string,
  message: string,
  details: string,
  extra_info: Problem['extra_info'],
): LinkVerdict => ({
  valid: false,
  problem: { type, message, details, extra_info },
});

const nameOf = (type: string | readonly unknown[]): string =>
  typeof type === 'string' ? type : JSON.stringify(type);

/** An output's or input's type: its name, names apart by commas, or the list of a combo. */
export type SlotType = string | readonly unknown[];

/** True where an output may feed an input: equal, one name in common, equal lists, or a wildcard on either side. */
const typesMatch = (output: SlotType, input: SlotType): boolean => {
  if (output === '*' || input === '*') return true;
  if (typeof output === 'string' && typeof input === 'string') {
    const offered = new Set(output.split(','));
    return input.split(',').some((name) => offered.has(name));
  }
  if (typeof output === 'string' || typeof input === 'string') return output === 'COMBO' || input === 'COMBO';
  return output.length === input.length && output.every((value, index) => value === input[index]);
};
