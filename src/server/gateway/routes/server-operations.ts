import { type Caller, defaultStallMs } from '../options.js';
import type { Clock } from '../../../core/platform/platform.js';
import { catchError, firstValueFrom, of } from 'rxjs';
import { isServiceError } from '../../../core/errors/tagged-error.js';
import { json } from '../http/respond.js';
import { refusal, refusalOf } from '../v2/refusal.js';
import type { Refusal } from '../http/refusal.js';
import type { RemoteServer } from '../../../core/events/remote-server.js';
import type { Route, RouteCall } from '../http/route.js';
import type { ServerRegistry, ServerChange } from '../servers/server-registry.js';
import { serversStream } from '../servers/servers-stream.js';
import { answers, type Operations } from '../openapi/operation.js';
import { server, servers as serversCodec, serversEvent } from '../contract/servers.js';
import * as t from 'io-ts';

/** The registry of servers and the clock behind the routes of servers. */
export interface ServerContext {
  /** Undefined if the gateway has no pool, and no queue over servers. */
  readonly registry: ServerRegistry | undefined;
  readonly clock: Clock;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  readonly stallMs?: number | undefined;
}

/** The operations on the servers behind the gateway, each for callers who have the right. */
export const serverOperations = ({ registry, clock, closing, stallMs = defaultStallMs }: ServerContext) => ({
  list: async ({ caller }: RouteCall): Promise<Response | Refusal> => {
    if (!maySee(caller)) return notYours('see');
    const servers = await listOf(registry);
    return 'status' in servers ? servers : json({ servers: servers.all });
  },
  events: async ({ caller, request, revoked, ended }: RouteCall): Promise<Response | Refusal> => {
    if (!maySee(caller)) return notYours('see');
    const known = await listOf(registry);
    if (registry === undefined || 'status' in known) return noServers;
    const format = /\bapplication\/x-ndjson\b/iu.test(request.headers.get('accept') ?? '') ? 'ndjson' : 'sse';
    const ends = [request.signal, revoked, closing];
    const body = serversStream(registry.servers, { clock, format, ends, ended, stallMs });
    return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, {
      headers: {
        'content-type': format === 'sse' ? 'text/event-stream' : 'application/x-ndjson',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  },
  change:
    (change: ServerChange): Route['handle'] =>
    async ({ caller, params }) => {
      if (caller.servers !== 'change') return notYours('change');
      if (registry === undefined) return noServers;
      try {
        const server = await registry.change(params['name'] ?? '', change);
        return server === undefined ? unknownServer : json(server);
      } catch (error) {
        if (isServiceError(error)) return error._tag === 'NotSupported' ? noServers : refusalOf(error);
        throw error;
      }
    },
});

const listOf = async (
  registry: ServerRegistry | undefined,
): Promise<{ readonly all: readonly RemoteServer[] } | Refusal> => {
  if (registry === undefined) return noServers;
  const isNone = (error: unknown): boolean => isServiceError(error) && error._tag === 'NotSupported';
  const all = await firstValueFrom(
    registry.servers.pipe(
      catchError((error: unknown) => {
        if (isNone(error)) return of(undefined);
        throw error;
      }),
    ),
    { defaultValue: [] },
  );
  return all === undefined ? noServers : { all };
};

const maySee = ({ servers }: Caller): boolean => servers === 'see' || servers === 'change';

const notYours = (what: 'see' | 'change'): Refusal =>
  refusal(
    403,
    'forbidden',
    `You may not ${what} the servers of this gateway: its operator grants that (\`servers\` of the caller).`,
  );

const unknownServer = refusal(404, 'server_not_found', 'There is no such server.');

const noServers = refusal(
  501,
  'not_implemented',
  'This gateway has no servers of its own: it has a pool of them, or a queue over servers, or none.',
);

const refusals = [403, 501];
const changed = answers('The server, which may still run jobs.', server);

/** What OpenAPI tells of these operations. */
export const serverDescriptions: Operations = {
  'GET /servers': {
    ...{ id: 'listServers', tag: 'Servers', summary: 'List the servers behind the gateway' },
    answers: { 200: answers('All of them, as they are now.', serversCodec) },
    refusals,
  },
  'GET /servers/events': {
    ...{ id: 'streamServers', tag: 'Servers', summary: 'Follow the servers behind the gateway' },
    answers: {
      200: {
        description:
          'All servers, now and after each change, until the reader leaves; of several quick changes the last one counts.',
        content: { 'text/event-stream': t.string, 'application/x-ndjson': serversEvent },
      },
    },
    refusals,
  },
  'POST /servers/:name/pause': {
    ...{ id: 'pauseServer', tag: 'Servers', summary: 'Give a server no new jobs' },
    answers: { 200: changed },
    refusals: [...refusals, 404],
  },
  'POST /servers/:name/resume': {
    ...{ id: 'resumeServer', tag: 'Servers', summary: 'Give a server jobs again' },
    answers: { 200: changed },
    refusals: [...refusals, 404],
  },
  'POST /servers/:name/drain': {
    ...{
      id: 'drainServer',
      tag: 'Servers',
      summary: 'Give a server no new jobs, as it is to be taken away once it is idle',
    },
    answers: { 200: changed },
    refusals: [...refusals, 404],
  },
};
