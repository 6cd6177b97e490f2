import type { Duplex } from 'node:stream';
import { hostClass, type HostClass } from '../host-class.js';
import { Agent as HttpAgent } from 'node:http';
import { type HttpRequest, TransportError } from '../platform.js';
import { Agent as HttpsAgent } from 'node:https';
import { serviceError } from '../../errors/service-error.js';
import { isIP, type LookupFunction } from 'node:net';
import { lookup as systemLookup } from 'node:dns';

/** What a connection is opened with. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

/** Chooses the agent for a URL, which has no query, as that may hold a key; undefined for a direct connection. */
export type AgentOfUrl = (url: URL) => HttpAgent | undefined;

/** An agent for everything, or one for each URL. */
export type AgentOption = HttpAgent | AgentOfUrl;

/**
 * Reads the option `agent`. Throws `InvalidConfig` for a value that is not an agent, and beside an option that would bypass it, so that
 * nothing goes around a proxy unnoticed.
 */
export const readAgent = (options: unknown): AgentOption | undefined => {
  const { agent, WebSocket, platform } = (options ?? {}) as Readonly<Record<string, unknown>>;
  if (agent === undefined) return undefined;
  const isOne = isAgentOption(agent);
  if (isOne && WebSocket === undefined && platform === undefined) return agent;
  throw serviceError('InvalidConfig', {
    option: 'agent',
    message: isOne
      ? 'agent takes no WebSocket and no platform beside it, as those would go around it.'
      : 'agent takes an http.Agent, or a function that gives one for a URL.',
    hint: isOne
      ? 'Give the platform its agent by defaultPlatform({ agent }), and a class of WebSockets its own way through the proxy.'
      : 'For a proxy: proxyAgent(url) or proxyFromEnv().',
  });
};

/** An agent of any class, or a function. */
const isAgentOption = (value: unknown): value is AgentOption =>
  typeof value === 'function' ||
  (typeof value === 'object' &&
    value !== null &&
    'addRequest' in value &&
    typeof value.addRequest === 'function');

/** Finds the agent for a request or a socket. */
export const agentFor = (agent: AgentOption | undefined, url: URL): HttpAgent | undefined =>
  typeof agent === 'function' ? agent(new URL(url.pathname, url)) : agent;

/** How requests reach the network. */
export interface NodeAgentsOptions {
  /** Opens the connections, in place of the platform's own agents. */
  readonly agent?: AgentOption | undefined;
  /** Finds the addresses of a name; default the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Opens a connection to a literal address, or to one that `lookup` gives for a name; default the system's way. */
  readonly connect?: (options: ConnectOptions) => Duplex;
  /** Whether a connection serves again; default true. */
  readonly keepsConnections?: boolean;
}

interface Route {
  readonly agent: HttpAgent;
  readonly lookup?: LookupFunction;
}

/** Connections by what they may be used for, and their end. */
export interface NodeAgents {
  /** The agent for a request, and the lookup that an agent of the user connects with. */
  readonly routeFor: (request: HttpRequest, url: URL) => Route;
  /** Resolves when every connection is gone. */
  readonly destroy: () => Promise<void>;
}

/**
 * Keeps connections apart by the class of their addresses, so that a request with an `addressClass` only meets
 * connections whose address was checked.
 *
 * An agent of the user gets the check as its `lookup`: it holds for the addresses that the agent itself connects to, and a proxy
 * resolves names by its own rules.
 */
export const nodeAgents = ({
  agent: agentOfUser,
  lookup = systemLookup,
  connect,
  keepsConnections = true,
}: NodeAgentsOptions = {}): NodeAgents => {
  const pair = (options: { readonly lookup?: LookupFunction } = {}): Pair => {
    const settings = { keepAlive: keepsConnections, maxSockets: 64, ...options };
    return [new HttpAgent(settings), new HttpsAgent(settings)];
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
    routeFor: ({ addressClass }, url) => {
      const agent = agentFor(agentOfUser, url);
      if (agent === undefined) {
        return {
          agent: (addressClass === undefined ? kept : classes[addressClass])[
            url.protocol === 'https:' ? 1 : 0
          ],
        };
      }
      return addressClass === undefined ? { agent } : { agent, lookup: lookupOfClass(addressClass, lookup) };
    },
    destroy: async () => {
      await Promise.all([kept, ...Object.values(classes)].flat().map(destroyed));
    },
  };
};

type Pair = readonly [HttpAgent, HttpsAgent];

const destroyed = async (agent: HttpAgent): Promise<void> => {
  const sockets = [agent.sockets, agent.freeSockets].flatMap((byHost) => Object.values(byHost)).flat();
  const gone = sockets
    .filter((socket) => socket?.closed === false)
    .map((socket) => new Promise((resolve) => socket?.once('close', resolve)));
  agent.destroy();
  await Promise.all(gone);
};

/**
 * Narrows a lookup to names whose addresses are all of one class.
 *
 * What it gives is what is connected to, so that a name can't be of one class here and of another there. One address of
 * another class refuses the whole name: no answer can hide behind a good one.
 */
const lookupOfClass =
  (allowed: HostClass, lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const fits = error === null && addresses.every((address) => addressClass(address) === allowed);
      if (error !== null || fits) callback(error, found, family);
      else callback(addressRefused(), options.all === true ? [] : '', 0);
    });

/** Throws for a literal address of another class: those are connected to without any lookup. */
export const checkLiteral = ({ hostname }: URL, allowed: HostClass): void => {
  const address = hostname.replace(/^\[|\]$/gu, '');
  if (isIP(address) !== 0 && addressClass(address) !== allowed) throw addressRefused();
};

/** `URL` puts every notation of an address into the one that {@link hostClass} reads; it knows no zones. */
const addressClass = (address: string): HostClass => {
  const [plain = ''] = address.split('%', 1);
  switch (isIP(plain)) {
    case 4:
      return hostClass(plain);
    case 6:
      return hostClass(new URL(`http://[${plain}]/`).hostname);
    default:
      return 'forbidden';
  }
};

const addressRefused = (): TransportError =>
  new TransportError('EADDRCLASS', 'the name leads to an address that is not followed', false);
