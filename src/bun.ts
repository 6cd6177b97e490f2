import type { Agent } from 'node:http';
import { envProxyAgent, httpProxyAgent } from './core/platform/node/proxy.js';
import { createClientOn } from './client/client.js';
import { jobDurations } from './client/jobs/job-durations.js';
import { fileAccess } from './core/files/file-access.js';
import { bunPlatform } from './core/platform/bun.js';
import { withEnvironment } from './core/platform/node/environment.js';
import { readAgent } from './core/platform/node/agents.js';
import type { Client, CommonClientOptions, Platform } from './index.js';

export * from './index.js';

/** Chooses the agent for a URL, which has no query, as that may hold a key; undefined for a direct connection. */
export type AgentOfUrl = (url: URL) => Agent | undefined;

/** What `createClient` takes. */
export interface ClientOptions extends CommonClientOptions {
  /** Opens the connections of calls, uploads, downloads and the socket, as on Node.js. */
  readonly agent?: Agent | AgentOfUrl | undefined;
}

/** Makes the option `agent` for an HTTP proxy, as on Node.js. */
export const proxyAgent = (proxy: string | URL): AgentOfUrl => httpProxyAgent(proxy);

/** Makes the option `agent` from `HTTPS_PROXY` and the like, as on Node.js. */
export const proxyFromEnv = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): AgentOfUrl | undefined => envProxyAgent(env);

/**
 * What `createClient` takes where there is an environment: address, dialect and key may come from PROMPTWIRE_BASE_URL, PROMPTWIRE_DIALECT, and
 * PROMPTWIRE_API_KEY or the file that PROMPTWIRE_API_KEY_FILE names, as the command reads them.
 */
export type CreateClientOptions = Omit<ClientOptions, 'baseUrl'> & Partial<Pick<ClientOptions, 'baseUrl'>>;

/**
 * Makes the platform that `createClient` uses without the option `platform`: the sockets, the HTTP client and the disk of
 * Node.js as Bun has them, and the clock.
 *
 * Spread it to replace single members. It opens nothing before a client asks for something.
 */
export const defaultPlatform = (options: Pick<ClientOptions, 'agent'> = {}): Platform =>
  bunPlatform({ agent: readAgent(options) });

/**
 * Makes a client: one service, one connection, on Bun over its own ws and HTTP client.
 *
 * It does what it does on Node.js (docs/guide/runtimes.md). Nothing is opened before something is asked for. Throws a
 * `ServiceError` `InvalidConfig` for options that can't work. `close()`, or leaving an `await using` block, ends everything.
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
  return createClientOn(bunPlatform({ agent: readAgent(read) }), read, fileAccess, jobDurations);
};
