import type { Observable } from 'rxjs';
import type { RequestBudgetOptions } from './jobs/rate-limiter.js';
import type { FrameLimits } from './jobs/frame-memory.js';
import type { ClientTier } from './jobs/run.js';
import type { Dialect } from './dialects/dialect.js';
import type { ConnectionState } from './socket/connection-state.js';

/** What `createClient` takes. */
export interface ClientOptions {
  /** `https://host` with any path prefix; `/api/…` is added. Clear-text `http:` is taken for loopback only. */
  readonly baseUrl: string;
  /** `wss://host` with any path prefix; `/ws` is added. Default: `baseUrl` with the scheme changed. */
  readonly wsUrl?: string | undefined;
  /** Sent as `X-API-Key` and as the socket's `token`; never with `dialect: 'local'`. */
  readonly apiKey?: string | undefined;
  /** Default `cloud`. */
  readonly dialect?: Dialect | undefined;
  /** Default tier of `runAll`; default `free`, one job at once. */
  readonly tier?: ClientTier | undefined;
  /** Name of the partner key's field in `extra_data`; default `api_key_partner_org`. */
  readonly partnerKeyField?: string | undefined;
  /** How long the socket outlives its last subscriber, in milliseconds; default 5000. */
  readonly lingerMs?: number | undefined;
  /**
   * How many bytes of frames `Job.frames` keeps for those who subscribe later; default 8 MiB for each job and 32 MiB for all
   * jobs of the client. 0 keeps none.
   */
  readonly keptFrames?: FrameLimits | undefined;
  /**
   * How long the record of a job that has ended may trail, in milliseconds; default 120 000. A completed job ends with
   * `outputsComplete: false` then. Time in which history can't be reached does not count, nor do up to 90 s in which a record is
   * missing that was there.
   */
  readonly recordWithinMs?: number | undefined;
  /**
   * For how long the service may go on to know nothing of a job that this client never saw before `follow` errors with
   * `NotFound`, in milliseconds; default 30 000, with `dialect: 'local'` 4000.
   */
  readonly notFoundAfterMs?: number | undefined;
  /**
   * How fast status, history and the like may be asked for, all jobs together; default 5 a second and 10 at once, with
   * `dialect: 'local'` 50 a second and 100 at once. Submissions, cancellations and files are not counted.
   */
  readonly requestBudget?: RequestBudgetOptions | undefined;
  /** Allows `http:` and `ws:` to other than loopback addresses; the key then crosses the network in clear. */
  readonly allowClearText?: boolean | undefined;
  /** Ends the client when it aborts, like `close()`. */
  readonly signal?: AbortSignal | undefined;
}

/** Replayed to late subscribers; see {@link ConnectionState}. */
export type Connection = Observable<ConnectionState>;
