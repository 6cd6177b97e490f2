import type { Moment } from './schedule.js';

/** Which call of the interface a request is. */
export type RouteName = 'submit' | 'status' | 'queue' | 'history' | 'cancel' | 'interrupt' | 'user' | 'other';

/** One request as the service's side saw it. */
export interface LoggedRequest {
  readonly at: number;
  readonly route: RouteName;
  readonly url: string;
  readonly key: string | undefined;
  readonly promptId?: string;
  /** The plan that a submission belongs to: only the service's side reads it. */
  readonly correlation?: number;
  /** What became of it: `fine`, or the fault that it met. */
  fate: string;
  /** When the client had the answer or the failure. */
  settledAt?: number;
  status?: number;
}

/** What happened, kept where the client can't see it. */
export interface Ledger {
  readonly accepted: { readonly at: number; readonly correlation: number; readonly promptId: string }[];
  readonly requests: LoggedRequest[];
  readonly handshakes: { readonly at: number; readonly key: string | null; how: string }[];
  /** Final answers of REST that reached the client, by job. */
  readonly toldEnd: Map<string, number>;
  /** When a job was first answered for by REST. */
  readonly known: Map<string, number>;
  /** Times at which status and history both knew nothing of a job, as the client was told. */
  readonly misses: Map<string, number[]>;
  /** Times at which a frame of a job reached the client. */
  readonly heard: Map<string, number>;
  /** Indexes of faults that took effect. */
  readonly hits: Set<number>;
  /** Moments that jobs reached, by plan. */
  readonly moments: Map<number, Map<Moment, number>>;
  /** Until when REST could not be relied on: for all, and for single jobs. */
  troubledUntil: number;
  readonly jobTroubledUntil: Map<string, number>;
  /** When a line was cut without a word. */
  readonly cuts: number[];
  /** When the client was told that an open socket is over. */
  readonly drops: number[];
  /** When the user called `resume` or `setKey`. */
  readonly resumes: number[];
  /** When the service began to refuse for good. */
  readonly stops: { readonly at: number; readonly kind: 'auth' | 'billing' | 'socket' }[];
}

/** Makes an empty {@link Ledger}. */
export const emptyLedger = (): Ledger => ({
  accepted: [],
  requests: [],
  handshakes: [],
  toldEnd: new Map(),
  known: new Map(),
  misses: new Map(),
  heard: new Map(),
  hits: new Set(),
  moments: new Map(),
  troubledUntil: 0,
  jobTroubledUntil: new Map(),
  stops: [],
  resumes: [],
  cuts: [],
  drops: [],
});

/** Says that what REST tells of a job can't be relied on until then. */
export const troubleJob = ({ jobTroubledUntil }: Ledger, promptId: string, until: number): void => {
  jobTroubledUntil.set(promptId, Math.max(until, jobTroubledUntil.get(promptId) ?? 0));
};
