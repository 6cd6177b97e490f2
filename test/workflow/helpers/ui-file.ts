import type { NodeDefinitions } from '../../../src/workflow/definitions.js';
import { asLists, type UiLink } from './ui-link.js';
import { definitions } from './node-definitions.js';

/** A node in short. Links stand at the consumer, as in the API format; the origin of an input of a subgraph is `in`. */
export interface Sketch {
  readonly id: number | string;
  readonly type: string;
  readonly values?: unknown;
  readonly links?: Readonly<Record<string, readonly [origin: number | string, slot: number]>>;
  readonly mode?: number;
  readonly [more: string]: unknown;
}

interface Socket {
  readonly name: string;
  readonly type: string;
  readonly widget?: { readonly name: string };
}

const widgetTypes = new Set(['INT', 'FLOAT', 'STRING', 'BOOLEAN', 'COMBO', 'CURVE', 'COMFY_DYNAMICCOMBO_V3']);

/** The sockets that the editor of today writes: plain ones first, then one for each widget. */
const socketsOf = (type: string): readonly Socket[] => {
  const { input } = (definitions as NodeDefinitions)[type] as {
    readonly input: { readonly required: object; readonly optional?: object };
  };
  const all = Object.entries({ ...input.required, ...input.optional }).map(
    ([name, spec]: [string, unknown]) => {
      const [given, options = {}] = spec as [unknown, Record<string, unknown>?];
      const declared = Array.isArray(given) ? 'COMBO' : String(given);
      const isPlain = options['forceInput'] === true || options['defaultInput'] === true;
      const isWidget = !isPlain && (widgetTypes.has(declared) || options['widgetType'] !== undefined);
      return { name, type: declared, ...(isWidget && { widget: { name } }) };
    },
  );
  const plain = all.filter(({ type: one }) => one !== 'COMFY_AUTOGROW_V3');
  return [
    ...plain.filter(({ widget }) => widget === undefined),
    ...plain.filter(({ widget }) => widget !== undefined),
  ];
};

const graphOf = (sketches: readonly Sketch[]) => {
  const links: UiLink[] = [];
  const nodes = sketches.map(({ id, type, values, links: own = {}, mode = 0, ...more }) => {
    const known = Object.hasOwn(definitions, type) ? socketsOf(type) : [];
    const extra = Object.keys(own).filter((name) => !known.some((socket) => socket.name === name));
    const inputs = [...known, ...extra.map((name): Socket => ({ name, type: '*' }))].map((socket, slot) => {
      const [origin, originSlot] = own[socket.name] ?? [];
      if (origin === undefined) return { ...socket, link: null };
      const link = {
        id: links.length + 1,
        origin_id: origin === 'in' ? -10 : origin,
        origin_slot: originSlot ?? 0,
        target_id: id,
        target_slot: slot,
        type: socket.type,
      };
      links.push(link);
      return { ...socket, link: link.id };
    });
    const saved = { id, type, mode, inputs, outputs: [], properties: {}, ...more };
    return values === undefined ? saved : { ...saved, widgets_values: values };
  });
  return { nodes, links };
};

/** A file as the editor of today saves it. */
export const uiFile = (sketches: readonly Sketch[], more: object = {}) => {
  const { nodes, links } = graphOf(sketches);
  return { nodes, links: asLists(links), groups: [], config: {}, extra: {}, version: 0.4, ...more };
};

/** The definition of a subgraph. */
export const subgraph = (
  id: string,
  inputs: readonly (readonly [name: string, type: string])[],
  outputs: readonly (readonly [origin: number | string, slot: number])[],
  sketches: readonly Sketch[],
) => {
  const { nodes, links } = graphOf(sketches);
  const out = outputs.map(([origin, slot], index): UiLink => ({
    id: links.length + index + 1,
    origin_id: origin === 'in' ? -10 : origin,
    origin_slot: slot,
    target_id: -20,
    target_slot: index,
    type: '*',
  }));
  return {
    id,
    name: id,
    version: 1,
    inputs: inputs.map(([name, type]) => ({ id: `${id} ${name}`, name, type, linkIds: [] })),
    outputs: outputs.map((_, index) => ({ id: `${id} out ${index}`, name: `out ${index}`, type: '*' })),
    nodes,
    links: [...links, ...out],
  };
};
