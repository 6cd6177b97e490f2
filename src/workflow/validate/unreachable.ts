import { objectOf } from '../values.js';
import { problemOf, warning } from './finding.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Prompt, PromptNode } from './read-prompt.js';

/**
 * Finds nodes that no output needs, which do not run.
 *
 * A link counts even where it is wrong, because its node runs once the link is right.
 */
export const unreachableNodes = (outputs: readonly PromptNode[], prompt: Prompt): readonly Problem[] => {
  const reached = new Set(outputs.map(({ id }) => id));
  // The loop comes to what it adds as well.
  for (const id of reached) {
    for (const value of Object.values(objectOf(prompt.get(id)?.inputs))) {
      const source: unknown = Array.isArray(value) && value.length === 2 ? value[0] : undefined;
      if (typeof source === 'string') reached.add(source);
    }
  }
  return [...prompt.values()]
    .filter(({ id }) => !reached.has(id))
    .map((node) => problemOf(node, warning('unreachable_node', 'does not run: no output needs it.')));
};
