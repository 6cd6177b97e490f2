import { isJsonObject } from '../../core/protocol/json/json.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * The seed of a node: that of the nearest node upstream that has one, otherwise of the first node of the workflow that has one.
 *
 * An input `seed` or `noise_seed` counts, or the `value` of the node that it links to. A number that was rounded is no seed.
 */
export const seedOf = (workflow: Workflow, nodeId: string): string | undefined => {
  const seen = new Set<string>();
  const open = [nodeId];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const seed = ownSeed(workflow, next);
    if (seed !== undefined) return seed;
    open.push(...Object.values(inputsOf(workflow, next)).flatMap(linked));
  }
  return Object.keys(workflow)
    .map((id) => ownSeed(workflow, id))
    .find((seed) => seed !== undefined);
};

const inputsOf = (workflow: Workflow, nodeId: string): Readonly<Record<string, unknown>> => {
  const inputs: unknown = Object.hasOwn(workflow, nodeId) ? workflow[nodeId]?.inputs : undefined;
  return isJsonObject(inputs) ? inputs : {};
};

const ownSeed = (workflow: Workflow, nodeId: string): string | undefined => {
  const { seed, noise_seed: noiseSeed } = inputsOf(workflow, nodeId);
  const own = seed ?? noiseSeed;
  const [source] = linked(own);
  return integerText(source === undefined ? own : inputsOf(workflow, source)['value']);
};

/** The node that an input links to, if it is a link. */
const linked = (input: unknown): readonly string[] => {
  if (!Array.isArray(input)) return [];
  const [nodeId, slot] = input as readonly unknown[];
  return typeof nodeId === 'string' && typeof slot === 'number' ? [nodeId] : [];
};

const integerText = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/u.test(value) ? value : undefined;
};
