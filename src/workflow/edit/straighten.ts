import { differentInputs } from './same-input.js';
import { linkOf } from './nodes-of.js';
import { listAt } from '../values.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Has nodes of one class keep their ids that were paired crosswise, where that leaves fewer changes: two texts that were swapped are two
 * changed texts, and not two other ids and two other links. `formerIds` are ids of the second workflow → ids of the first, `newIds` the
 * other way round.
 */
export const straighten = (
  before: Workflow,
  after: Workflow,
  formerIds: Map<string, string>,
  newIds: Map<string, string>,
): void => {
  const paired = { before, after, newIds };
  const cycles = cyclesOf(formerIds).filter((ids) =>
    ids.every((id) => before[id]?.class_type === after[id]?.class_type),
  );
  if (cycles.length === 0) return;
  const consumers = consumersOf(after);

  const changesOf = (id: string): number => {
    const from = formerIds.get(id);
    const [one, other] = [from === undefined ? undefined : before[from], after[id]];
    if (one === undefined || other === undefined) return 0;
    const others = [from !== id, one._meta?.title !== other._meta?.title].filter(Boolean).length;
    return others + differentInputs(paired, one, other).length;
  };
  const pair = (id: string, from: string): void => {
    formerIds.set(id, from);
    newIds.set(from, id);
  };

  for (const ids of cycles) {
    // What took from them before and does no more has another link either way.
    const touched = [...new Set([...ids, ...ids.flatMap((id) => consumers.get(id) ?? [])])];
    const count = (): number => touched.reduce((sum, id) => sum + changesOf(id), 0);
    const crossed = ids.map((id) => [id, formerIds.get(id) ?? id] as const);
    const changes = count();
    for (const id of ids) pair(id, id);
    if (count() >= changes) for (const [id, from] of crossed) pair(id, from);
  }
};

/** Ids of which each is paired with another one of them. */
const cyclesOf = (formerIds: ReadonlyMap<string, string>): readonly (readonly string[])[] => {
  const seen = new Set<string>();
  return [...formerIds.keys()].flatMap((start) => {
    const ids: string[] = [];
    let id: string | undefined = start;
    for (; id !== undefined && !seen.has(id); id = formerIds.get(id)) {
      seen.add(id);
      ids.push(id);
    }
    return id === start && ids.length > 1 ? [ids] : [];
  });
};

/** The nodes that have a link to a node, by its id. */
const consumersOf = (workflow: Workflow): ReadonlyMap<string, readonly string[]> => {
  const consumers = new Map<string, string[]>();
  for (const [id, { inputs }] of Object.entries(workflow))
    for (const value of Object.values(inputs)) {
      const link = linkOf(workflow, value);
      if (link !== undefined) listAt(consumers, link.nodeId).push(id);
    }
  return consumers;
};
