import type { Agent } from 'node:http';
import { createClientOn } from './client/client.js';
import { envProxyAgent, httpProxyAgent } from './core/platform/node/proxy.js';
import { jobDurations } from './client/jobs/job-durations.js';
import { fileAccess } from './core/files/file-access.js';
import { nodePlatform } from './core/platform/node.js';
import { withEnvironment } from './core/platform/node/environment.js';
import { readAgent } from './core/platform/node/agents.js';
import type { Client, CommonClientOptions, Platform } from './index.js';

export * from './index.js';

/** Chooses the agent for a URL, which has no query, as that may hold a key; undefined for a direct connection. */
export type AgentOfUrl = (url: URL) => Agent | undefined;

/** What `createClient` takes. */
export interface ClientOptions extends CommonClientOptions {
  /**
   * Opens the connections of calls, uploads, downloads and the socket: an `http.Agent`, or a function that gives one for each URL.
   * `proxyAgent` and `proxyFromEnv` make one for a proxy; agents of other packages, or an `https.Agent` with certificates of your own,
   * work as well. Not together with `WebSocket` or `platform`, which would go around it.
   *
   * Behind a proxy the client checks the names that a download is redirected to, and the proxy decides which addresses they have.
   * The client does not destroy the agent. An agent that keeps connections may send a submission by one that the server closes at that
   * moment: it ends as `OutcomeUnknown` then.
   */
  readonly agent?: Agent | AgentOfUrl | undefined;
}

/**
 * What `createClient` takes where there is an environment: address, dialect and key may come from PROMPTWIRE_BASE_URL, PROMPTWIRE_DIALECT, and
 * PROMPTWIRE_API_KEY or the file that PROMPTWIRE_API_KEY_FILE names, as the command reads them.
 */
export type CreateClientOptions = Omit<ClientOptions, 'baseUrl'> & Partial<Pick<ClientOptions, 'baseUrl'>>;

/**
 * Makes the platform that `createClient` uses without the option `platform`: sockets of ws, calls by undici, files by Node's own
 * HTTP client, the disk, the clock. With `agent`, Node's HTTP client sends the calls as well.
 *
 * Spread it to replace single members. It opens nothing before a client asks for something. Throws `InvalidConfig` for a value that
 * is not an agent.
 */
export const defaultPlatform = (options: Pick<ClientOptions, 'agent'> = {}): Platform =>
  nodePlatform({ agent: readAgent(options) });

/**
 * Makes the option `agent` for an HTTP proxy, given as `http://user:password@host:port`; user and password may be missing, and
 * `https:` encrypts the way to the proxy.
 *
 * Everything goes through it: sockets and `https:` by a tunnel (CONNECT), `http:` by asking the proxy for the whole address. Nothing
 * falls back to a direct connection: while the proxy can't be reached or refuses, calls end with `Network`, whose code is `EPROXY` or
 * the system's, and nothing has reached the service. The proxy resolves names, so it decides which addresses a download may come
 * from. Throws `InvalidConfig` for an invalid address, which its message does not repeat. Several clients may share what it
 * returns; idle connections end after a second.
 *
 * @example
 * ```ts
 * import { createClient, proxyAgent } from 'promptwire';
 *
 * const client = createClient({
 *   baseUrl: 'https://cloud.comfy.org',
 *   apiKey: process.env['COMFY_API_KEY'],
 *   dialect: 'v2',
 *   agent: proxyAgent('http://proxy.example:3128'),
 * });
 * ```
 */
export const proxyAgent = (proxy: string | URL): AgentOfUrl => httpProxyAgent(proxy);

/**
 * Makes the option `agent` from the environment, as curl and others read it; undefined if no variable names a proxy.
 *
 * `HTTPS_PROXY` is for `https:` and `wss:`, `HTTP_PROXY` for `http:` and `ws:`, `ALL_PROXY` for both. `NO_PROXY` lists what is reached
 * directly, separated by commas: `example.com` with its subdomains, `host:port`, an address, or `*` for everything. Names in lower
 * case take precedence. This machine (`localhost`, `127.0.0.1`, …) is always reached directly. Throws `InvalidConfig` with the
 * variable's name for an invalid address.
 *
 * @example
 * ```ts
 * import { createClient, proxyFromEnv } from 'promptwire';
 *
 * const client = createClient({
 *   baseUrl: 'https://cloud.comfy.org',
 *   apiKey: process.env['COMFY_API_KEY'],
 *   dialect: 'v2',
 *   agent: proxyFromEnv(),
 * });
 * ```
 */
export const proxyFromEnv = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): AgentOfUrl | undefined => envProxyAgent(env);

/**
 * Makes a client: one service, one connection, on Node.js over ws and Node's own HTTP client.
 *
 * Nothing is opened before something is asked for. Throws a `ServiceError` `InvalidConfig` for options that can't work,
 * such as an invalid address or a key with a line break; its message never quotes the key. `close()`, or leaving an
 * `await using` block, ends everything at once (docs/protocol.md, chapter 1).
 *
 * @example
 * ```ts
 * import { createClient, type Workflow } from 'promptwire';
 *
 * const main = async (workflow: Workflow): Promise<void> => {
 *   await using client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 *   await client.run(workflow).forEach(({ phase, progress }) => console.log(phase, progress));
 * };
 * ```
 */
export const createClient = (options: CreateClientOptions = {}): Client => {
  const read = withEnvironment(options as ClientOptions);
  return createClientOn(nodePlatform({ agent: readAgent(read) }), read, fileAccess, jobDurations);
};
