import { socketNamed, type UiNode } from './ui-graph.js';
import { listOf, objectOf, textOf } from '../values.js';

/** What a node inside a group node shows outside: an input, entries of `widgets_values`, or an input with the entries of its widget. */
export interface ShownPart {
  readonly input?: string;
  readonly type?: string;
  /** What the input is named after. */
  readonly label?: string;
  /** How many entries there are; the first one holds the value of the input. */
  readonly entries: number;
  /** Of a widget that was turned into an input: it comes after those of all nodes. */
  readonly isLast?: boolean;
}

/**
 * The inputs and entries of a node inside a group node, as the editors before 2025 make them: of its widgets, then of its
 * unlinked sockets. Widgets that are linked inside have neither.
 *
 * @param typeOfLink - The type of a link at the node.
 */
export const groupParts = (node: UiNode, typeOfLink: string | undefined): readonly ShownPart[] => {
  const { kind, plan, sockets, values } = node;
  const free = sockets.flatMap(({ name, type, link }) =>
    name === undefined || link !== undefined ? [] : [{ input: name, type, entries: 0 }],
  );
  switch (kind) {
    case 'primitive': {
      const entries = typeOfLink === 'COMBO' ? 3 : typeOfLink === 'INT' ? 2 : 1;
      return typeOfLink === undefined ? [] : [{ input: 'value', type: typeOfLink, entries }];
    }
    case 'reroute': {
      const type = typeOfLink ?? '*';
      return free.map((part) => ({ ...part, type, label: type }));
    }
    case 'class':
    case 'subgraph': {
      // Where widgets have sockets, as all have since 1.16, these editors sort them by the index of the socket as a text; those
      // without one come first, in their order.
      const indexOf = (name: string): string =>
        String(
          listOf(node.raw['inputs'])
            .map(objectOf)
            .findIndex(({ name: own, widget }) => own === name && objectOf(widget)['name'] === name),
        );
      const sorted = (plan?.widgets ?? [])
        .map((widget) => ({ ...widget, index: indexOf(widget.name) }))
        .toSorted(({ index: one }, { index: other }) => (one === other ? 0 : one < other ? -1 : 1));
      const widgets = sorted.flatMap(({ name, type, entriesAfter }) => {
        const socket = socketNamed(node, name);
        const isLast = socket?.widget !== undefined;
        return isLast && socket.link !== undefined
          ? []
          : [{ input: name, type, entries: 1 + entriesAfter, isLast }];
      });
      const entriesAtEnd = plan ? plan.entriesAtEnd : values.length;
      return [...widgets, { entries: entriesAtEnd }, ...free.filter(({ input }) => !plan?.widgetOf(input))];
    }
    default:
      return [];
  }
};

/** Names inputs uniquely: a second one of a name gets the title of its node in front. */
export const inputNamer = (): ((node: UiNode, input: string, wanted: string) => string) => {
  const seen = new Map<string, number>();
  return ({ type, kind, raw }, input, wanted) => {
    const title = textOf(raw['title']);
    let key = wanted;
    let name = wanted;
    if ((kind === 'primitive' && title !== undefined) || seen.has(key)) {
      const prefix = title ?? type;
      key = name = `${prefix} ${input}`;
      const times = seen.get(key);
      if (times !== undefined) name = `${prefix} ${times} ${input}`;
    }
    seen.set(key, (seen.get(key) ?? 1) + 1);
    return name;
  };
};
