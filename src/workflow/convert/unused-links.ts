import { reportOn, type Scope } from './context.js';
import { warning } from '../validate/finding.js';

/**
 * Warns of links that no socket names. The editor goes by the sockets, so these have no effect; in a healthy file there are
 * none.
 */
export const reportUnusedLinks = (scope: Scope): void => {
  const { nodes, linkOf, consumerOf } = scope.graph;
  for (const [id, { originId, targetId }] of linkOf) {
    const target = nodes.get(targetId);
    if (target?.kind !== 'class' || target.isMuted || target.isBypassed) continue;
    if (consumerOf.has(id) || !nodes.has(originId)) continue;
    const message = `is the target of link ${id}, which none of its inputs names: it has no effect.`;
    reportOn(scope, target, warning('unused_link', message));
  }
};
