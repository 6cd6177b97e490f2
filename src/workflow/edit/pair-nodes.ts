import { linkOf } from './nodes-of.js';
import { listAt } from '../values.js';
import { innerIdOf, pairScopes, scopeOf } from './pair-scopes.js';
import { straighten } from './straighten.js';
import { textOf } from './same-value.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Pairs the nodes of two workflows: id in the second → id in the first.
 *
 * Nodes belong together whose content only they have, or only they with links to or from nodes that belong together; then nodes of one id and
 * content, nodes of one id inside subgraphs that belong together, first of one content and then of one class, nodes that nothing tells
 * apart, nodes of one id and class, the only ones of a class that feed the same inputs, the only ones that are left of a class and a
 * title, and last nodes of one id. Nodes that this crosses keep their ids where that leaves fewer changes.
 */
export const pairNodes = (before: Workflow, after: Workflow): ReadonlyMap<string, string> => {
  const former = traitsOf(before);
  const current = traitsOf(after);
  const formerIds = new Map<string, string>();
  const newIds = new Map<string, string>();

  /** Pairs open nodes of one key: where each side has one, or, in their order, where several are alike. */
  const join = (
    keyOf: (node: NodeTraits, newIdOf: (id: string) => string | undefined, isFormer: boolean) => string,
    takesSeveral = false,
  ) => {
    const open = byKey(former, newIds, (node) => keyOf(node, (id) => newIds.get(id), true));
    const others = byKey(current, formerIds, (node) =>
      keyOf(node, (id) => (formerIds.has(id) ? id : undefined), false),
    );
    const size = formerIds.size;
    for (const [key, ids] of others) {
      const partners = open.get(key) ?? [];
      if (!takesSeveral && (ids.length > 1 || partners.length > 1)) continue;
      for (const [at, id] of ids.slice(0, partners.length).entries()) {
        const partner = partners[at] ?? '';
        formerIds.set(id, partner);
        newIds.set(partner, id);
      }
    }
    return formerIds.size > size;
  };
  const withLinks: Parameters<typeof join>[0] = ({ content, links }, newIdOf) =>
    textOf([content, links.map(([name, id]) => [name, newIdOf(id) ?? null])]);

  const withConsumers: Parameters<typeof join>[0] = ({ content, feeds }, newIdOf) =>
    textOf([content, feeds.map(([name, id]) => textOf([name, newIdOf(id) ?? null])).toSorted()]);
  /** Of nodes that feed something that is paired. */
  const byRole: Parameters<typeof join>[0] = ({ id, className, feeds }, newIdOf) => {
    const roles = feeds.flatMap(([name, to]) => {
      const consumer = newIdOf(to);
      return consumer === undefined ? [] : [textOf([name, consumer])];
    });
    return textOf(roles.length === 0 ? [id, className] : [className, roles.toSorted()]);
  };

  /** Pairs nodes of one id inside subgraphs that belong together. */
  const joinInside = (traitOf: (node: NodeTraits) => string) => {
    const scopes = pairScopes(formerIds);
    const current = new Set(scopes.values());
    const placeOf = ({ id }: NodeTraits, isFormer: boolean): string => {
      const scope = isFormer ? scopes.get(scopeOf(id)) : scopeOf(id);
      return textOf(scope !== undefined && current.has(scope) ? [scope, innerIdOf(id)] : [isFormer, id]);
    };
    join((node, _, isFormer) => textOf([placeOf(node, isFormer), traitOf(node)]));
  };

  join(({ content }) => content);
  // Each round knows more of the nodes that links lead to; a chain of nodes that are alike is not followed for ever.
  for (let round = 0; round < 20 && (join(withLinks) || join(withConsumers)); round += 1);
  join(({ id, content }) => textOf([id, content]));
  joinInside(({ content }) => content);
  joinInside(({ className }) => className);
  join(withLinks, true);
  join(({ id, className }) => textOf([id, className]));
  join(byRole);
  join(({ className, title }) => textOf([className, title]));
  join(({ id }) => id);
  straighten(before, after, formerIds, newIds);
  return formerIds;
};

interface NodeTraits {
  readonly id: string;
  readonly className: string;
  readonly title: string | undefined;
  /** All that it is but for the nodes that its links lead to. */
  readonly content: string;
  readonly links: readonly (readonly [input: string, nodeId: string])[];
  /** Links to it: inputs of other nodes. */
  readonly feeds: readonly (readonly [input: string, nodeId: string])[];
}

const traitsOf = (workflow: Workflow): readonly NodeTraits[] => {
  const feeds = new Map<string, (readonly [input: string, nodeId: string])[]>();
  for (const [nodeId, { inputs }] of Object.entries(workflow))
    for (const [input, value] of Object.entries(inputs)) {
      const link = linkOf(workflow, value);
      if (link !== undefined) listAt(feeds, link.nodeId).push([`${link.slot} ${input}`, nodeId]);
    }
  return Object.entries(workflow).map(([id, { class_type: className, _meta: meta, inputs }]) => {
    const members = Object.entries(inputs).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const linked = members.map(([name, value]) => ({ name, value, link: linkOf(workflow, value) }));
    const values = linked.map(({ name, value, link }) => [name, link === undefined ? [value] : link.slot]);
    return {
      id,
      className,
      title: meta?.title,
      content: textOf([className, meta?.title, values]),
      links: linked.flatMap(({ name, link }) => (link === undefined ? [] : [[name, link.nodeId] as const])),
      feeds: feeds.get(id) ?? [],
    };
  });
};

const byKey = (
  nodes: readonly NodeTraits[],
  paired: ReadonlyMap<string, string>,
  keyOf: (node: NodeTraits) => string,
): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const node of nodes) if (!paired.has(node.id)) listAt(found, keyOf(node)).push(node.id);
  return found;
};
