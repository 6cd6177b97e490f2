import type { Inputs } from './graph.js';
import { type NodeClass, NodeFailure, type NodeResult } from '../engine/node-class.js';
import { isList, type ValueList } from '../engine/values.js';

/**
 * Runs a node once for each member of the lists among its inputs, the last member of a shorter list again.
 *
 * The outputs of several runs are lists in turn, and what they show is shown together. A class with `is_input_list` runs once, with
 * a list for every input.
 */
export const overLists = async (
  nodeClass: NodeClass,
  inputs: Inputs,
  run: (inputs: Inputs) => Promise<NodeResult>,
): Promise<NodeResult> => {
  const definition = nodeClass.definition({ inputs: [] });
  const areLists = definition.output_is_list;
  const each = Object.entries(inputs).map(([name, value]) => [name, itemsOf(value)] as const);
  if (definition['is_input_list'] === true) return listed(await run(Object.fromEntries(each)), areLists);
  const count = each.reduce((most, [, items]) => Math.max(most, items.length), 1);
  const results: NodeResult[] = [];
  for (let turn = 0; turn < count; turn += 1) results.push(await run(Object.fromEntries(each.map(at(turn)))));
  const [only] = results;
  return only && results.length === 1 ? listed(only, areLists) : together(results, areLists);
};

const itemsOf = (value: unknown): readonly unknown[] => (isList(value) ? value.items : [value]);

const at =
  (turn: number) =>
  ([name, items]: readonly [string, readonly unknown[]]): readonly [string, unknown] => {
    if (items.length === 0) throw new NodeFailure('IndexError', 'list index out of range');
    return [name, items[Math.min(turn, items.length - 1)]];
  };

/** The result of one run, whose list outputs are marked as such. */
const listed = (result: NodeResult, areLists: readonly boolean[]): NodeResult => ({
  ...result,
  values: result.values.map((value, slot) =>
    areLists[slot] === true ? listOf(value as readonly unknown[]) : value,
  ),
});

const listOf = (items: readonly unknown[]): ValueList => ({ kind: 'LIST', items });

const together = (results: readonly NodeResult[], areLists: readonly boolean[]): NodeResult => {
  if (results.some(({ blocked, expand }) => blocked !== undefined || expand !== undefined))
    throw new NodeFailure(
      'NotImplementedError',
      'The emulator expands and blocks no node that runs over a list.',
    );
  const valuesAt = (slot: number): readonly unknown[] => results.map(({ values }) => values[slot]);
  const values = areLists.map((isOne, slot) => listOf(isOne ? valuesAt(slot).flat() : valuesAt(slot)));
  const shown = results.flatMap(({ ui }) => Object.keys(ui ?? {}));
  const ui = Object.fromEntries(
    shown.map((key) => [key, results.flatMap((result) => result.ui?.[key] ?? [])] as const),
  );
  return { values, ...(results.some((result) => result.ui !== undefined) && { ui }) };
};
