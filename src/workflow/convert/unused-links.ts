import { reportOn, type Scope } from './context.js';
import { warning } from '../validate/finding.js';

/**
 * Warns of links that no socket of their target names. The editor goes by the sockets, so these have no effect; in a healthy
 * file there are none.
 */
export const reportUnusedLinks = (scope: Scope): void => {
  const { nodes, nodeOf, linkOf } = scope.graph;
  let named: Set<string | undefined> | undefined;
  for (const [id, { originId, targetId, targetSlot }] of linkOf) {
    const target = nodeOf.get(targetId);
    if (target?.kind !== 'class' || target.isMuted || target.isBypassed || !nodeOf.has(originId)) continue;
    if (target.sockets[targetSlot]?.link === id) continue;
    named ??= new Set(nodes.flatMap(({ sockets }) => sockets.map(({ link }) => link)));
    if (named.has(id)) continue;
    reportOn(
      scope,
      target,
      warning(
        'unused_link',
        `is the target of link ${id}, which none of its inputs names: it has no effect.`,
      ),
    );
  }
};
