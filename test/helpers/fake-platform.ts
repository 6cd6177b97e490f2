import type {
  HttpRequest,
  HttpResponse,
  Platform,
  SocketEnd,
  SocketHandle,
  SocketListener,
  SocketOptions,
} from '../../src/core/platform/platform.js';
import { type VirtualClock, virtualClock } from '../../src/testing/virtual-clock.js';

/** A socket that the code under test opened; the test plays the server. */
export interface FakeSocket {
  readonly url: string;
  readonly headers: SocketOptions['headers'];
  readonly sent: string[];
  readonly pings: () => number;
  /** Whether it holds the program open, where the client has said so. */
  readonly keepsAlive: () => boolean | undefined;
  /** Whether the client has cut it off without awaiting the closing handshake. */
  readonly isCutOff: () => boolean;
  /** `undefined` while it is open or opening, then how the client closed it. */
  readonly closedBy: () => 'client' | 'client at once' | 'server' | undefined;
  readonly open: () => void;
  readonly receive: (message: unknown) => void;
  readonly pong: () => void;
  readonly end: (end?: Partial<SocketEnd>) => void;
}

/** A platform of memory and virtual time. */
export interface FakePlatform extends Platform {
  readonly clock: VirtualClock;
  readonly sockets: FakeSocket[];
  readonly requests: HttpRequest[];
  /** The addresses of answers that were neither read to their end nor discarded: each would hold a connection. */
  readonly unread: () => readonly string[];
}

/** An answer of the fake network: status and JSON (or text) body. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Makes a platform; `answer` plays the REST server and may reject to play the network's failure. */
export const fakePlatform = (
  answer: (request: HttpRequest) => FakeAnswer | Promise<FakeAnswer> = () => ({ status: 404 }),
  { random = () => 0.5 }: { readonly random?: () => number } = {},
): FakePlatform => {
  const sockets: FakeSocket[] = [];
  const requests: HttpRequest[] = [];
  const unread = new Set<HttpRequest>();
  let ids = 0;

  return {
    clock: virtualClock(),
    random,
    uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    sockets,
    requests,
    unread: () => [...unread].map(({ url }) => url),
    openSocket: (url, listener, options) => {
      const { socket, handle } = fakeSocket(url, listener, options);
      sockets.push(socket);
      return handle;
    },
    request: async (request) => {
      requests.push(request);
      request.onSent?.();
      const answered = await answer(request);
      unread.add(request);
      return asResponse(answered, () => unread.delete(request));
    },
  };
};

const fakeSocket = (
  url: string,
  listener: SocketListener,
  { headers }: SocketOptions = {},
): { socket: FakeSocket; handle: SocketHandle } => {
  const sent: string[] = [];
  let pings = 0;
  let keepsAlive: boolean | undefined;
  let isCutOff = false;
  let closedBy: ReturnType<FakeSocket['closedBy']>;
  return {
    socket: {
      url,
      headers,
      sent,
      pings: () => pings,
      keepsAlive: () => keepsAlive,
      isCutOff: () => isCutOff,
      closedBy: () => closedBy,
      open: () => listener.opened(),
      receive: (message) =>
        listener.message(
          typeof message === 'string' || message instanceof ArrayBuffer ? message : JSON.stringify(message),
        ),
      pong: () => listener.alive(),
      end: (end = {}) => {
        closedBy ??= 'server';
        listener.closed({ code: 1006, reason: '', ...end });
      },
    },
    handle: {
      send: (text) => sent.push(text),
      ping: () => (pings += 1),
      keepAlive: (keeps) => (keepsAlive = keeps),
      close: (immediately) => {
        isCutOff ||= immediately === true;
        if (closedBy !== undefined) return;
        closedBy = immediately === true ? 'client at once' : 'client';
        listener.closed({ code: immediately === true ? 1006 : 1000, reason: '' });
      },
    },
  };
};

const asResponse = (
  { status = 200, headers = {}, body = '' }: FakeAnswer,
  over: () => void,
): HttpResponse => {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    body: (async function* () {
      if (bytes.length > 0) yield bytes;
      over();
    })(),
    discard: over,
  };
};
