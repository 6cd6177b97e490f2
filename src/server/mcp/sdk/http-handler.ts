import type { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Sdk } from './load-sdk.js';

/** Names the caller of a request: undefined answers 401, and a `Response` is the answer itself. */
export type McpAuthorize = (
  request: Request,
) => McpCaller | Response | undefined | Promise<McpCaller | Response | undefined>;

/** The caller. */
export interface McpCaller {
  /** The same for every request of this caller, and no other's. */
  readonly name: string;
}

/** Streamable HTTP, as a function of requests. */
export interface HttpHandler {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Options of `mcp.http`. */
export interface McpHttpOptions {
  /** Refuses requests to another host name than this machine's, or from a page of another origin: 403. Default false. */
  readonly loopbackOnly?: boolean | undefined;
}

/** Sessions of hosts that speak a protocol of before 2026; the oldest makes room for a new one. */
const maxSessions = 200;

/**
 * Serves both lines of the protocol: since July 2026 each request stands alone; before, a host opens a session, which takes its
 * cancellations and answers its questions. A session belongs to the caller that opened it.
 */
export const httpHandler = (
  { server: sdk }: Sdk,
  factory: () => McpServer,
  authorize: McpAuthorize,
  { loopbackOnly = false }: McpHttpOptions = {},
): HttpHandler => {
  const modern = sdk.createMcpHandler(factory, { legacy: 'reject' });
  const sessions = new Map<string, Session>();
  const forget = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.server.close().catch(() => undefined);
  };
  const opened = async (caller: string): Promise<WebStandardStreamableHTTPServerTransport> => {
    const server = factory();
    const transport: WebStandardStreamableHTTPServerTransport =
      new sdk.WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => {
          const [oldest] = sessions.keys();
          if (sessions.size >= maxSessions && oldest !== undefined) forget(oldest);
          sessions.set(id, { caller, server, transport });
        },
        onsessionclosed: forget,
      });
    await server.connect(transport);
    return transport;
  };
  const legacy = async (request: Request, caller: string): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await opened(caller)).handleRequest(request);
    const session = sessions.get(id);
    return session?.caller === caller ? session.transport.handleRequest(request) : answer(404);
  };
  return {
    fetch: async (request) => {
      const refused = loopbackOnly
        ? (sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames()) ??
          sdk.originValidationResponse(request, sdk.localhostAllowedOrigins()))
        : undefined;
      if (refused !== undefined) return refused;
      const caller = await authorize(request);
      if (caller === undefined) return answer(401, { 'WWW-Authenticate': 'Bearer' });
      if (caller instanceof Response) return caller;
      return (await sdk.isLegacyRequest(request)) ? legacy(request, caller.name) : modern.fetch(request);
    },
    close: async () => {
      for (const id of sessions.keys()) forget(id);
      await modern.close();
    },
  };
};

interface Session {
  readonly caller: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers });
