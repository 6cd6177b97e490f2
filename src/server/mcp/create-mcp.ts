import { allTools } from './tools/all-tools.js';
import { clientService } from './service/client-service.js';
import { createMcpFiles } from './mcp-files.js';
import { createRemote } from '../../page/remote/create-remote.js';
import { createRunGuard } from './run-guard.js';
import { gatewayService } from './service/gateway-service.js';
import { httpHandler, type McpAuthorize, type McpHttpOptions } from './sdk/http-handler.js';
import { loadSdk } from './sdk/load-sdk.js';
import type { McpOptions } from './mcp-options.js';
import type { McpService } from './service/mcp-service.js';
import { poolService } from './service/pool-service.js';
import { presentJob } from './present-job.js';
import { serverFactory } from './sdk/server-factory.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Readable, Writable } from 'node:stream';

/** A server of the Model Context Protocol, over any number of connections; made by `createMcp`. */
export interface Mcp {
  /**
   * Serves one host over two streams, which are standard input and output of a program; resolves once the input has ended. Nothing else may
   * write to the output.
   */
  readonly serveStdio: (input: Readable, output: Writable) => Promise<void>;
  /** Makes a function of requests that serves streamable HTTP at whatever path it gets; `authorize` names the caller of each. */
  readonly http: (authorize: McpAuthorize, options?: McpHttpOptions) => McpHttp;
}

/** Streamable HTTP as a function of requests. */
export interface McpHttp {
  /** Answers a request; 401 where `authorize` names no caller. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends what is under way. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a server of the Model Context Protocol: tools that run workflows and templates, look at jobs, and find nodes and models.
 *
 * It needs the package `@modelcontextprotocol/server`, an optional peer of this one, and rejects with `InvalidConfig` where that is missing,
 * or where not exactly one of `client`, `pool` and `gateway` is given. Nothing is asked of the service before a tool is called. The server
 * opens no file and fetches nothing for a model but from the service itself; `save` alone writes. Errors of the service are results with
 * `isError`, a message and a hint.
 *
 * @example
 * ```ts
 * import { bearerTokens } from 'promptwire/gateway';
 * import { createClient } from 'promptwire';
 * import { createMcp } from 'promptwire/mcp';
 * import { exampleTemplates } from 'promptwire/examples';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const mcp = await createMcp({ client, templates: exampleTemplates(), maxJobs: 20 });
 * const { fetch } = mcp.http(bearerTokens({ assistant: 'a-long-random-token' }));
 * const answer = await fetch(new Request('http://127.0.0.1/mcp', { method: 'POST' })); // 401: no token
 * ```
 */
export const createMcp = async (options: McpOptions): Promise<Mcp> => {
  const service = serviceOf(options);
  const sdk = await loadSdk();
  const { onCancelled = 'cancel', maxWaitSeconds = 600, maxFileBytes, version = '0' } = options;
  const tools = allTools({
    service,
    guard: createRunGuard(options),
    show: presentJob(service, options),
    maxWaitSeconds,
    onCancelled,
  });
  const factory = serverFactory(sdk, { tools, files: createMcpFiles(service, maxFileBytes), version });
  return {
    serveStdio: async (input, output) => {
      const ended = new Promise<void>((resolve) => {
        input.once('end', resolve).once('close', resolve);
      });
      const transport = new sdk.stdio.StdioServerTransport(input, output);
      const handle = sdk.stdio.serveStdio(factory, { transport });
      await ended;
      await handle.close();
    },
    http: (authorize, httpOptions) => httpHandler(sdk, factory, authorize, httpOptions),
  };
};

const serviceOf = ({ client, pool, gateway, templates = {} }: McpOptions): McpService => {
  const [first, ...others] = [
    client && (() => clientService(client, templates)),
    pool && (() => poolService(pool, templates)),
    gateway && (() => gatewayService(createRemote(gateway))),
  ].filter((make) => make !== undefined);
  if (first !== undefined && others.length === 0) return first();
  throw serviceError('InvalidConfig', {
    option: 'client',
    message: 'A server of the Model Context Protocol takes one of `client`, `pool` and `gateway`.',
  });
};
