import type { ServerCapabilities } from './server-capabilities.js';

/** What is known of one of the servers of a pool, a queue, or a gateway over either. */
export interface PoolServer {
  /** Its name in the pool or queue. */
  readonly name: string;
  /** Its address, without user and password. */
  readonly baseUrl: string;
  /** What it has that others may lack. */
  readonly tags: readonly string[];
  /**
   * `unknown` before it was asked; `up`, `down`; `refusing` while it accepts no submissions of this account; `trusted later` after it
   * came back from one of several failures. With `paused` and `draining` it gets no new jobs, by a call of the program or its operator.
   */
  readonly health: 'unknown' | 'up' | 'down' | 'refusing' | 'trusted later';
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  /** Why it is down, refuses or is paused. */
  readonly reason?: string;
  /** What the program or its operator asked for. */
  readonly mode: 'active' | 'paused' | 'draining';
  /** How many jobs it runs at once. */
  readonly slots: number;
  /** How many more it may hold. */
  readonly ahead: number;
  /** How many jobs of the pool or queue it runs. */
  readonly running: number;
  /** How many of them wait there. */
  readonly waiting: number;
  /** Jobs that completed there. */
  readonly done: number;
  /** Jobs that failed there. */
  readonly failed: number;
  /** Jobs that it lost, or that were given up. */
  readonly lost: number;
  /** Jobs that were given up and ended there after all. */
  readonly lateEnds: number;
  /** What it can run; absent before it was asked whether it can run any job. */
  readonly capabilities?: ServerCapabilities;
  /** The models of the last job that it got: they are probably loaded. */
  readonly models: readonly string[];
  /** How quick it is beside the others, by its runs; 1 before the first. */
  readonly speed: number;
  /** Memory of its devices in bytes, where it tells it. */
  readonly memory?: { readonly total: number; readonly free: number };
}
