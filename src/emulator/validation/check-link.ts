import type { Crash, Problem, ValidateLinked, ValidationScope } from './problem.js';
import type { InputSpec, NodeDefinition } from '../engine/node-class.js';
import { reprOf, strOf, typeNameOf } from '../engine/python-words.js';

/** The result of checking a link; a crash aborts the check of the node that has it. */
export type LinkVerdict = { readonly valid: boolean; readonly problem?: Problem } | { readonly crash: Crash };

/** Checks an array value: it must be `[nodeId, slot]` and name an existing slot of a fitting type of a valid node. */
export const checkLink = (
  name: string,
  spec: InputSpec,
  received: readonly unknown[],
  { graph, definitionOf }: ValidationScope,
  validate: ValidateLinked,
): LinkVerdict => {
  const info = { input_name: name, input_config: [spec[0], spec[1] ?? {}] };
  if (received.length !== 2) {
    const message = 'Bad linked input, must be a length-2 list of [node_id, slot_index]';
    return problem('bad_linked_input', message, name, { ...info, received_value: received });
  }
  const [upstreamId, index] = received;
  if (typeof upstreamId === 'object' && upstreamId !== null)
    return crash('TypeError', `unhashable type: '${typeNameOf(upstreamId)}'`);
  const upstream = typeof upstreamId === 'string' ? graph.get(upstreamId) : undefined;
  if (!upstream || typeof upstreamId !== 'string') return crash('KeyError', reprOf(upstreamId));
  const type = slotType(definitionOf(upstream), index);
  if (typeof type === 'object' && 'crash' in type) return type;
  if (!typesMatch(type, spec[0])) {
    const details = `${name}, received_type(${strOf(type)}) mismatch input_type(${strOf(spec[0])})`;
    const extra_info = { ...info, received_type: type, linked_node: received };
    return problem('return_type_mismatch', 'Return type mismatch between linked nodes', details, extra_info);
  }
  return { valid: validate(upstreamId, { name, spec, link: received }).valid };
};

/** The type of a slot, by an index of Python: negative ones count from the end, and true is 1. */
const slotType = (
  definition: NodeDefinition | undefined,
  index: unknown,
): SlotType | { readonly crash: Crash } => {
  // The engine's newer classes hold their types in a list, the older ones in a tuple.
  const kind = definition !== undefined && 'output_matchtypes' in definition ? 'list' : 'tuple';
  const slot = typeof index === 'boolean' ? Number(index) : index;
  if (typeof slot !== 'number' || !Number.isInteger(slot))
    return crash('TypeError', `${kind} indices must be integers or slices, not ${typeNameOf(index)}`);
  return definition?.output.at(slot) ?? crash('IndexError', `${kind} index out of range`);
};

const crash = (type: Crash['type'], message: string): { readonly crash: Crash } => ({
  crash: { type, message },
});

const problem = (
  type: string,
  message: string,
  details: string,
  extra_info: Problem['extra_info'],
): LinkVerdict => ({
  valid: false,
  problem: { type, message, details, extra_info },
});

/** An output's or input's type: a name, names separated by commas, or the list of a combo. */
export type SlotType = string | readonly unknown[];

/** True if an output may feed an input: equal, one name in common, equal lists, or a wildcard on either side. */
const typesMatch = (output: SlotType, input: SlotType): boolean => {
  if (output === '*' || input === '*') return true;
  if (typeof output === 'string' && typeof input === 'string') {
    const offered = new Set(output.split(',').map((name) => name.trim()));
    return input.split(',').some((name) => offered.has(name.trim()));
  }
  if (typeof output === 'string' || typeof input === 'string') return false;
  return output.length === input.length && output.every((value, at) => isEqual(value, input[at]));
};

/** Python's equality of literals: `1`, `1.0` and `true` are one value. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  (typeof one === 'boolean' ? Number(one) : one) === (typeof other === 'boolean' ? Number(other) : other);
