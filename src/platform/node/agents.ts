import { lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpRequest } from '../../socket/platform.js';
import { lookupOfClass } from './lookup.js';
import { reuseReadBuffers } from './read-buffers.js';

/** What a connection is opened with. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

/** How requests with an `addressClass` reach the world; a test may put itself in between. */
export interface NodeAgentsOptions {
  /** Finds the addresses of a name; default the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Opens a connection to a literal address, or to one that `lookup` gives for a name; default the system's way. */
  readonly connect?: (options: ConnectOptions) => Duplex;
  /** Whether a connection serves again; default true. */
  readonly keepsConnections?: boolean;
  /** Whether each connection reads into one buffer, which the runtime has to support; default true. */
  readonly readsIntoOneBuffer?: boolean;
}

/** Connections by what they may be used for, and their end. */
export interface NodeAgents {
  readonly agentFor: (request: HttpRequest, url: URL) => HttpAgent;
  /** Resolves when every connection is gone. */
  readonly destroy: () => Promise<void>;
}

/**
 * Keeps connections apart by the class of their addresses, so that a request with an `addressClass` only meets
 * connections whose address was looked at.
 */
export const nodeAgents = ({
  lookup = systemLookup,
  connect,
  keepsConnections = true,
  readsIntoOneBuffer = true,
}: NodeAgentsOptions = {}): NodeAgents => {
  const pair = (options: AgentOptions = {}): Pair => {
    const settings = { keepAlive: keepsConnections, maxSockets: 64, ...options };
    const agents: Pair = [new HttpAgent(settings), new HttpsAgent(settings)];
    if (readsIntoOneBuffer) for (const agent of agents) reuseReadBuffers(agent);
    return agents;
  };
  const ofClass = (allowed: NonNullable<HttpRequest['addressClass']>): Pair => {
    const agents = pair({ lookup: lookupOfClass(allowed, lookup) });
    if (connect !== undefined) {
      for (const agent of agents) Object.assign(agent, { createConnection: connect });
    }
    return agents;
  };
  const kept = pair();
  const classes = { public: ofClass('public'), loopback: ofClass('loopback'), private: ofClass('private') };
  return {
    agentFor: ({ addressClass }, { protocol }) =>
      (addressClass === undefined ? kept : classes[addressClass])[protocol === 'https:' ? 1 : 0],
    destroy: async () => {
      await Promise.all([kept, ...Object.values(classes)].flat().map(destroyed));
    },
  };
};

type Pair = readonly [HttpAgent, HttpsAgent];

interface AgentOptions {
  readonly lookup?: LookupFunction;
}

const destroyed = async (agent: HttpAgent): Promise<void> => {
  const sockets = [agent.sockets, agent.freeSockets].flatMap((byHost) => Object.values(byHost)).flat();
  const gone = sockets
    .filter((socket) => socket?.closed === false)
    .map((socket) => new Promise((resolve) => socket?.once('close', resolve)));
  agent.destroy();
  await Promise.all(gone);
};
