import type { Faults, RequestFault, ServiceRoute } from './faults.js';
import { parseExactJson, writeExactJson } from '../../core/protocol/json/exact-json.js';
import {
  type Clock,
  type HttpRequest,
  type HttpResponse,
  type Platform,
  TransportError,
} from '../../core/platform/platform.js';

/** What the service answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes, a text, or a value that is sent as JSON. */
  readonly body?: unknown;
}

/** A request that reached the service or the network before it. */
export interface ScriptedRequest {
  /** When the client sent it, by the service's clock. */
  readonly atMs: number;
  /** Which request it is. */
  readonly route: ServiceRoute;
  /** The method. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** The path, without the query. */
  readonly path: string;
  /** The parsed body of a request with JSON; integers beyond 2^53 are `bigint`, as in a seed that was sent exactly. */
  readonly json?: unknown;
  /** The fault that struck it, where one did. */
  readonly fault?: RequestFault['kind'] | undefined;
}

/** The faults and the delay of a scripted network, and the service behind it. */
export interface ScriptedRequestsOptions {
  readonly clock: Clock;
  readonly faults: () => Faults;
  /** How long one way takes. */
  readonly latencyMs: number;
  readonly routeOf: (method: string, url: URL) => ServiceRoute;
  /** Does what is asked and answers it. */
  readonly act: (route: ServiceRoute, request: HttpRequest) => Promise<Answer>;
  readonly log: (request: ScriptedRequest) => void;
}

/** Makes the network between client and service: requests take time, and faults strike them. */
export const scriptedRequests = ({
  clock,
  faults,
  latencyMs,
  routeOf,
  act,
  log,
}: ScriptedRequestsOptions): Platform['request'] => {
  const pass = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

  const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
    const url = new URL(request.url);
    const route = routeOf(request.method, url);
    const fault = faults().ofRequest(route);
    const { method, json } = request;
    log({
      ...{ atMs: clock.now(), route, method, path: url.pathname },
      ...(json === undefined ? {} : { json: parseExactJson(json) }),
      ...(fault === undefined ? {} : { fault: fault.kind }),
    });
    if (fault?.kind === 'unreachable' || faults().isOffline()) {
      await pass(latencyMs);
      throw new TransportError('ECONNREFUSED', 'the scripted service can not be reached', false);
    }
    request.onSent?.();
    await pass(latencyMs);
    if (request.signal?.aborted === true) throw aborted();
    return responseOf(await answered(request, route, fault));
  };
  /** The answer of the service, as far as the fault lets it through. */
  const answered = async (
    request: HttpRequest,
    route: ServiceRoute,
    fault: RequestFault | undefined,
  ): Promise<Answer> => {
    if (fault?.kind === 'lost request') throw cut();
    const answer = fault?.kind === 'answer' ? fault : await act(route, request);
    if (fault?.kind === 'no answer') await new Promise<never>(() => undefined);
    await pass(latencyMs + (fault?.kind === 'late answer' ? fault.ms : 0));
    if (fault?.kind === 'lost answer' || faults().isOffline()) throw cut();
    return answer;
  };

  return (request) =>
    new Promise((resolve, reject) => {
      const abort = (): void => reject(aborted());
      if (request.signal?.aborted === true) {
        abort();
        return;
      }
      request.signal?.addEventListener('abort', abort, { once: true });
      exchange(request)
        .then(resolve, reject)
        .finally(() => request.signal?.removeEventListener('abort', abort));
    });
};

const aborted = (): TransportError => new TransportError('ABORT_ERR', 'the request was aborted', true);

const cut = (): TransportError => new TransportError('ECONNRESET', 'the scripted connection broke', true);

const responseOf = ({ status, headers = {}, body }: Answer): HttpResponse => {
  const bytes = bytesOf(body);
  const type = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json';
  return {
    status,
    headers: { 'content-type': type, 'content-length': String(bytes.length), ...headers },
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    body: (async function* () {
      if (bytes.length > 0) yield bytes;
    })(),
    discard: () => undefined,
  };
};

const bytesOf = (body: unknown): Uint8Array => {
  if (body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) return body.slice();
  return new TextEncoder().encode(typeof body === 'string' ? body : writeExactJson(body));
};
