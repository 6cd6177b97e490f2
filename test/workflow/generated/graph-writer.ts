import type { Random } from '../../simulation/random.js';
import { linkTypes } from './draw-classes.js';
import type { UiLink } from '../helpers/ui-link.js';

/** Where a link begins: the slot of a node, or of the border of a subgraph. */
export interface Source {
  readonly id: number | string;
  readonly slot: number;
}

/** A socket of a node in the file; `link` is filled in when something feeds it. */
export interface Socket {
  readonly name: string;
  readonly type: string;
  widget?: { readonly name: string };
  link: number | null;
}

/** What the graphs of one file share. */
export interface FileState {
  readonly random: Random;
  readonly subgraphs: object[];
  /** A bypassed node passes nothing on to an input of another type. */
  readonly mayBypass: boolean;
  subgraphIds: number;
  nodeIds: number;
  linkIds: number;
}

/** A graph of the editor while it is written. */
export interface GraphWriter {
  readonly nodes: object[];
  readonly links: UiLink[];
  readonly newId: () => number | string;
  /** Adds a node; gives its sockets, which {@link connect} feeds. */
  readonly addNode: (id: number | string, type: string, sockets: readonly Socket[], more?: object) => void;
  readonly connect: (source: Source, id: number | string, sockets: readonly Socket[], socket: Socket) => void;
  /** The same source behind reroutes, bypassed nodes, and pairs of Set and Get nodes. */
  readonly detour: (source: Source, type: string) => Source;
  /** The inputs of a subgraph that feed widgets inside. */
  readonly widgetSlots: () => readonly number[];
  /** A source that brings nothing: a muted node, or a bypassed one without inputs. */
  readonly deadEnd: (type: string) => Source;
}

export const graphWriter = (state: FileState): GraphWriter => {
  const { random } = state;
  const nodes: object[] = [];
  const links: UiLink[] = [];
  const fed: [slot: number, socket: Socket][] = [];

  const newId = (): number | string => {
    state.nodeIds += random.between(1, 3);
    return random.chance(0.9) ? state.nodeIds : `n${state.nodeIds}`;
  };
  const addNode: GraphWriter['addNode'] = (id, type, sockets, more = {}) => {
    const node = { id, type, pos: [0, 0], mode: 0, inputs: sockets, outputs: [], properties: {}, ...more };
    nodes.splice(random.between(0, nodes.length), 0, node);
  };
  const connect: GraphWriter['connect'] = ({ id: origin, slot }, id, sockets, socket) => {
    state.linkIds += 1;
    socket.link = state.linkIds;
    if (origin === -10) fed.push([slot, socket]);
    links.push({
      id: state.linkIds,
      origin_id: origin,
      origin_slot: slot,
      target_id: id,
      target_slot: sockets.indexOf(socket),
      type: socket.type,
    });
  };
  const through = (source: Source, type: string, way: Way): Source => {
    const id = newId();
    const socket: Socket = {
      name: way === 'bypass' ? 'through' : way === 'set' ? type : '',
      type,
      link: null,
    };
    connect(source, id, [socket], socket);
    const outputs = [{ name: type, type, links: [] }];
    if (way === 'reroute') addNode(id, 'Reroute', [socket], { outputs });
    else if (way === 'bypass') addNode(id, `Pass ${type}`, [socket], { outputs, mode: 4 });
    else {
      const name = `value ${String(id)}`;
      addNode(id, 'SetNode', [socket], { outputs, widgets_values: [name] });
      const getter = newId();
      addNode(getter, 'GetNode', [], { outputs, widgets_values: [name] });
      return { id: getter, slot: 0 };
    }
    return { id, slot: 0 };
  };

  return {
    nodes,
    links,
    newId,
    addNode,
    connect,
    detour: (source, type) => {
      let end = source;
      while (random.chance(0.25)) {
        const way = random.pick(ways);
        if (way !== 'bypass' || (state.mayBypass && (linkTypes as readonly string[]).includes(type)))
          end = through(end, type, way);
      }
      return end;
    },
    widgetSlots: () => fed.filter(([, { widget }]) => widget !== undefined).map(([slot]) => slot),
    deadEnd: (type) => {
      const id = newId();
      const mode = random.pick([2, 4]);
      addNode(id, `Source ${type}`, [], { mode, outputs: [{ name: type, type, links: [] }] });
      return { id, slot: 0 };
    },
  };
};

type Way = 'reroute' | 'bypass' | 'set';

const ways: readonly Way[] = ['reroute', 'bypass', 'set'];
