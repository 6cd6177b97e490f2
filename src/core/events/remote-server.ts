/** One of the servers behind a gateway, as it writes it and a remote reads it. Times are in milliseconds since 1970. */
export interface RemoteServer {
  /** Its name in the pool or queue of the gateway. */
  readonly name: string;
  /** Its address, without user and password. */
  readonly baseUrl: string;
  /** What it has that others may lack. */
  readonly tags: readonly string[];
  /** Whether it is there, refuses the account, or is to be trusted later, as it went down more than once. */
  readonly health: 'unknown' | 'up' | 'down' | 'refusing' | 'trusted later';
  /** Since when. */
  readonly since: number;
  /** Why it is down, refuses or is paused. */
  readonly reason?: string;
  /** What its operator asked for: with `paused` and `draining` it gets no new jobs. */
  readonly mode: 'active' | 'paused' | 'draining';
  /** How many jobs it runs at once. */
  readonly slots: number;
  /** How many more it may hold. */
  readonly ahead: number;
  /** How many jobs it runs. */
  readonly running: number;
  /** How many jobs wait there. */
  readonly waiting: number;
  /** Jobs that completed there. */
  readonly done: number;
  /** Jobs that failed there. */
  readonly failed: number;
  /** Jobs that it lost, or that were given up. */
  readonly lost: number;
  /** Jobs that were given up and ended there after all. */
  readonly lateEnds: number;
  /** The models that are probably loaded. */
  readonly models: readonly string[];
  /** How quick it is beside the others; 1 before its first run. */
  readonly speed: number;
  /** Memory of its devices in bytes, where it tells it. */
  readonly memory?: { readonly total: number; readonly free: number };
  /** The workers of a queue that bring it. */
  readonly workers?: readonly string[];
}
