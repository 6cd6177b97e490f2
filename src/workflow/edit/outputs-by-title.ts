import { type Either, left, right } from '../../core/protocol/either.js';
import { factsOf, type NodeFacts } from './node-facts.js';
import { findNamedNode } from './find-node.js';
import type { InvalidTarget } from './target.js';
import { kept } from '../kept.js';
import type { JobState } from '../../core/state/job-state.js';
import { type OutputFile, outputFiles } from '../../core/state/output-files.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Files by the name of the node that made them, without a prototype. */
export type OutputsByTitle = Readonly<Record<string, readonly OutputFile[]>>;

/**
 * Sorts the files of a job by the titles of their nodes, in the order of the outputs.
 *
 * A node goes by its title; one without by its class where no other node goes by that, else by its id, or by `#3` where that is the title
 * or class of another one. The files of a node that was made at run time belong to the node of the workflow that they are shown at.
 * Left `AmbiguousNode` with the ids where another node of the workflow has the same title, as `findInput` has it: a title that only
 * nodes without files share is no matter.
 *
 * @example
 * ```ts
 * import { outputsByTitle } from 'promptwire/workflow';
 * import type { JobState, Workflow } from 'promptwire';
 *
 * const cover = (state: JobState, workflow: Workflow): string | undefined => {
 *   const named = outputsByTitle(state, workflow);
 *   return named._tag === 'Right' ? named.right['Cover']?.[0]?.filename : named.left.message;
 * };
 * ```
 */
export const outputsByTitle = (
  { outputs, nodes }: Pick<JobState, 'outputs'> & Partial<Pick<JobState, 'nodes'>>,
  workflow: Workflow,
): Either<InvalidTarget, OutputsByTitle> => {
  const facts = factsOf(workflow);
  const nodeOf = new Map(facts.map((node) => [node.id, node]));
  const nameOf = outputNamer(facts);
  const named = Object.create(null) as Record<string, OutputFile[]>;
  for (const file of outputFiles(outputs, { ...(nodes && { nodes }) })) {
    const { nodeId, displayNodeId = nodeId } = file;
    const node = nodeOf.get(displayNodeId);
    const found = node?.title === undefined ? undefined : findNamedNode(facts, node.title);
    if (found?._tag === 'Left') return left(found.left);
    (named[nameOf(node ?? { id: displayNodeId, class: '' })] ??= []).push(file);
  }
  return right(named);
};

/**
 * Makes the function that names nodes as `findInput` finds them: by their title; without one by their class where no other node goes by it, else
 * by their id. All nodes together take time linear in the workflow.
 */
export const outputNamer = (facts: readonly NodeFacts[]): ((node: NodeFacts) => string) => {
  const titles = new Set(facts.map(({ title }) => title));
  const idsOf = new Map<string, Set<string>>();
  for (const { id, class: name } of facts) kept(idsOf, name, () => new Set()).add(id);
  return ({ id, class: className, title }) => {
    if (title !== undefined) return title;
    const isOwn = (name: string): boolean => {
      const ids = idsOf.get(name);
      return !titles.has(name) && (ids === undefined || ids.size === (ids.has(id) ? 1 : 0));
    };
    if (className !== '' && isOwn(className)) return className;
    return isOwn(id) ? id : `#${id}`;
  };
};
