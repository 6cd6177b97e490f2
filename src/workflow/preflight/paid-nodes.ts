import { isJsonObject } from '../../core/protocol/json/json.js';
import { type Json, listOf, objectOf, ownOf, textOf } from '../values.js';
import type { NodeDefinitions } from '../definitions.js';
import type { NodePrice, PaidNode } from './report.js';
import { runningNodes } from './running-nodes.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Lists the nodes of a workflow that run and call a paid service of a partner, in its order, each with the price that its definition gives.
 *
 * A node of a class that the definitions lack counts as an output node. The price is a label for people: its expression is not evaluated, and no service promises to charge it.
 *
 * @param targets - The output nodes that are to run, as in a submission; default all of them.
 *
 * @example
 * ```ts
 * import { paidNodes, type NodeDefinitions } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const isFree = (workflow: Workflow, definitions: NodeDefinitions) => paidNodes(workflow, definitions).length === 0;
 * ```
 */
export const paidNodes = (
  workflow: Workflow,
  definitions: NodeDefinitions,
  targets?: readonly string[],
): readonly PaidNode[] => {
  const running = runningNodes(workflow, definitions, targets);
  return Object.entries(workflow).flatMap(([nodeId, { class_type: className, inputs }]) => {
    const definition = objectOf(ownOf(definitions, className));
    if (!running.has(nodeId) || definition['api_node'] !== true) return [];
    const price = priceOf(definition['price_badge'], objectOf(inputs));
    return [{ nodeId, className, ...(price !== undefined && { price }) }];
  });
};

const priceOf = (badge: unknown, inputs: Json): NodePrice | undefined => {
  const { engine, expr, depends_on: depends } = objectOf(badge);
  if (typeof expr !== 'string') return undefined;
  const { widgets, inputs: links, input_groups: groups } = objectOf(depends);
  const names = [...listOf(widgets), ...listOf(links), ...listOf(groups)].flatMap(
    (one) => textOf(one) ?? textOf(objectOf(one)['name']) ?? [],
  );
  const values = names.map((name) => [name, valueOf(ownOf(inputs, name))]);
  return {
    engine: textOf(engine) ?? 'jsonata',
    expression: expr,
    values: Object.fromEntries(values) as Json,
  };
};

/** A linked input has no value before the run. */
const valueOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? undefined
    : isJsonObject(value) && Object.hasOwn(value, '__value__')
      ? value['__value__']
      : value;
