import type { Clock } from '../../core/platform/platform.js';

/** Which request it is: a route of the interface, `file` for storage, `other` for an unknown one. */
export type ServiceRoute =
  | 'submit'
  | 'status'
  | 'history'
  | 'queue'
  | 'cancel'
  | 'interrupt'
  | 'view'
  | 'file'
  | 'upload'
  | 'user'
  | 'object_info'
  | 'other';

/** Which requests a fault strikes. */
export interface RequestMatch {
  /** Default: requests of every route. */
  readonly route?: ServiceRoute | undefined;
  /** The first of the matching requests that it strikes, counted from 1 since the fault was given; default 1. */
  readonly nth?: number | undefined;
  /** How many in a row it strikes; default 1, `Infinity` for all. */
  readonly times?: number | undefined;
}

/** What goes wrong with one request. */
export type RequestFault = RequestMatch &
  (
    | /** Answered so, and the service does nothing. */ {
        readonly kind: 'answer';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly body?: unknown;
      }
    | /** The service acts, and the connection breaks before its answer. */ { readonly kind: 'lost answer' }
    | /** The connection breaks before the service acts, after bytes have left. */ {
        readonly kind: 'lost request';
      }
    | /** No connection is made: no byte leaves. */ { readonly kind: 'unreachable' }
    | /** The service acts, and its answer never comes. */ { readonly kind: 'no answer' }
    | /** The answer comes later. */ { readonly kind: 'late answer'; readonly ms: number }
  );

/** What goes wrong with the connection, `atMs` milliseconds after the fault was given; default at once. */
export type SocketFault = { readonly atMs?: number | undefined } & (
  | /** Open sockets end, without a closing handshake unless there is a `code`. */ {
      readonly kind: 'dropped socket';
      readonly code?: number | undefined;
      readonly reason?: string | undefined;
    }
  | /** Handshakes fail for so long: without a connection, or with an HTTP status. */ {
      readonly kind: 'refused sockets';
      readonly forMs: number;
      readonly status?: number | undefined;
    }
  | /** Messages are lost for so long; pings are answered. */ {
      readonly kind: 'lost messages';
      readonly forMs: number;
    }
  | /** Nothing arrives for so long, and no pong; the sockets stay open. */ {
      readonly kind: 'silent sockets';
      readonly forMs: number;
    }
  | /** No network for so long: open sockets end, and nothing connects. */ {
      readonly kind: 'offline';
      readonly forMs: number;
    }
);

/** A fault of the scripted service as data. */
export type ServiceFault = RequestFault | SocketFault;

/** What is wrong now. */
export interface Faults {
  readonly give: (fault: ServiceFault) => void;
  /** Counts a request and returns the first fault that strikes it. */
  readonly ofRequest: (route: ServiceRoute) => RequestFault | undefined;
  readonly isOffline: () => boolean;
  readonly losesMessages: () => boolean;
  readonly isSilent: () => boolean;
  /** How a handshake fails now; undefined if it does not. */
  readonly refusal: () => { readonly status?: number | undefined } | undefined;
}

/** Keeps the faults of a service; `drop` ends its open sockets. */
export const serviceFaults = (clock: Clock, drop: (code?: number, reason?: string) => void): Faults => {
  const requests: { readonly fault: RequestFault; seen: number }[] = [];
  const until = { offline: 0, lost: 0, silent: 0, refused: 0 };
  let refusedWith: { readonly status?: number | undefined } = {};
  const lasts = (what: keyof typeof until): boolean => clock.now() < until[what];
  const begin = (what: keyof typeof until, forMs: number): void => {
    until[what] = Math.max(until[what], clock.now() + forMs);
  };

  const strike = (fault: SocketFault): void => {
    switch (fault.kind) {
      case 'dropped socket': {
        drop(fault.code, fault.reason);
        return;
      }
      case 'refused sockets':
        refusedWith = fault.status === undefined ? {} : { status: fault.status };
        {
          begin('refused', fault.forMs);
          return;
        }
      case 'lost messages': {
        begin('lost', fault.forMs);
        return;
      }
      case 'silent sockets': {
        begin('silent', fault.forMs);
        return;
      }
      case 'offline':
        begin('offline', fault.forMs);
        {
          drop();
          return;
        }
    }
  };

  return {
    give: (fault) => {
      if (isSocketFault(fault)) clock.after(fault.atMs ?? 0, () => strike(fault));
      else requests.push({ fault, seen: 0 });
    },
    ofRequest: (route) => {
      const matching = requests.filter(({ fault }) => fault.route === undefined || fault.route === route);
      for (const one of matching) one.seen += 1;
      return matching.find(({ seen, fault: { nth = 1, times = 1 } }) => seen >= nth && seen < nth + times)
        ?.fault;
    },
    isOffline: () => lasts('offline'),
    losesMessages: () => lasts('lost') || lasts('silent'),
    isSilent: () => lasts('silent'),
    refusal: () => (lasts('offline') ? {} : lasts('refused') ? refusedWith : undefined),
  };
};

const socketKinds: ReadonlySet<ServiceFault['kind']> = /* @__PURE__ */ new Set([
  'dropped socket',
  'refused sockets',
  'lost messages',
  'silent sockets',
  'offline',
] as const);

const isSocketFault = (fault: ServiceFault): fault is SocketFault => socketKinds.has(fault.kind);
