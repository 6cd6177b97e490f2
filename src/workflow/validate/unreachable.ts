import { about } from './check-outputs.js';
import { isJsonObject } from '../../protocol/json/json.js';
import type { Problem } from '../../protocol/problem.js';
import type { Prompt, PromptNode } from './read-prompt.js';

/**
 * Finds nodes that no output needs, which do not run.
 *
 * A link counts even where it is wrong, because its node runs once the link is right.
 */
export const unreachableNodes = (outputs: readonly PromptNode[], prompt: Prompt): readonly Problem[] => {
  const reached = new Set<string>();
  const open = outputs.map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const inputs = reached.has(id) ? undefined : prompt.get(id)?.inputs;
    reached.add(id);
    if (!isJsonObject(inputs)) continue;
    for (const value of Object.values(inputs)) {
      const source: unknown = Array.isArray(value) && value.length === 2 ? value[0] : undefined;
      if (typeof source === 'string' && !reached.has(source)) open.push(source);
    }
  }
  return [...prompt.values()]
    .filter(({ id }) => !reached.has(id))
    .map((node) => about(node, 'unreachable_node', 'does not run: no output needs it.'));
};
