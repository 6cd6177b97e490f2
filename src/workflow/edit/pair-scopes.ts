/** The id of the subgraph that a node is in, as ids in the API format have it (`8:3` of `8:3:5`); empty at the top. */
export const scopeOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf(':')));

/** The id of a node inside its subgraph. */
export const innerIdOf = (id: string): string => id.slice(id.lastIndexOf(':') + 1);

/**
 * Pairs the subgraphs of two workflows by pairs of their nodes (id in the second → id in the first): scope in the first → scope in the
 * second.
 *
 * Subgraphs belong together where most pairs of nodes with the same id inside say so; each belongs to one at most.
 */
export const pairScopes = (formerIds: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const votes = new Map<string, { readonly former: string; readonly current: string; count: number }>();
  for (const [id, formerId] of formerIds) {
    const [current, former] = [scopeOf(id), scopeOf(formerId)];
    if (current === '' || former === '' || innerIdOf(id) !== innerIdOf(formerId)) continue;
    const key = JSON.stringify([former, current]);
    const vote = votes.get(key) ?? { former, current, count: 0 };
    vote.count += 1;
    votes.set(key, vote);
  }
  const scopes = new Map<string, string>();
  const taken = new Set<string>();
  for (const { former, current } of [...votes.values()].toSorted((one, other) => other.count - one.count)) {
    if (scopes.has(former) || taken.has(current)) continue;
    scopes.set(former, current);
    taken.add(current);
  }
  return scopes;
};
