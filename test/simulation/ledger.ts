import type { Moment } from './schedule.js';

/** Which call of the interface a request is. */
export type RouteName =
  'submit' | 'status' | 'job' | 'queue' | 'history' | 'cancel' | 'interrupt' | 'user' | 'other';

/** One of the answers that strike a single request of any route. */
export type StrayName = `a stray ${string}`;

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
  /** The answer that it met once, where it was one of those that no service gives. */
  stray?: StrayName;
  /** When the client had the answer or the failure. */
  settledAt?: number;
  status?: number;
}

/** Which answers are meant: that of `status`, the record of `history`, the detail of the jobs API, or all. */
export type Aspect = 'status' | 'record' | 'detail' | 'all';

/** A stretch of time in which REST told no truth: an outage, a refusal, an answer that is none, a hidden job. */
export interface Untruth {
  readonly from: number;
  /** `Infinity` while it lasts. */
  until: number;
  readonly of: Aspect;
  /** The one job that it concerns; all of them where it is absent. */
  readonly promptId?: string;
  /** A fault may strike after the end of a job and prolongs the patience with the client; what the service always does may not. */
  readonly isFault: boolean;
  /** The key was refused. */
  readonly isRefusal?: true;
  /** The client's machine slept, so that it notices only afterwards that its socket has died. */
  readonly isSleep?: true;
}

/** A text message of a job, when it reached the client. */
export interface DeliveredMessage {
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What happened, kept where the client can't see it. */
export interface Ledger {
  readonly accepted: { readonly at: number; readonly correlation: number; readonly promptId: string }[];
  readonly requests: LoggedRequest[];
  /** Handshakes of sockets; of API v2 requests for streams, each of one job. */
  readonly handshakes: {
    readonly at: number;
    readonly key: string | null;
    readonly promptId?: string;
    how: string;
  }[];
  /** Times at which a frame of a job reached the client. */
  readonly lastFrameAt: Map<string, number>;
  /** Indexes of faults that took effect. */
  readonly hits: Set<number>;
  /** Moments that jobs reached, by plan. */
  readonly moments: Map<number, Map<Moment, number>>;
  /** When REST did not tell the truth, of all jobs or of one. */
  readonly untruths: Untruth[];
  /** Text messages of jobs that reached the client, by job. */
  readonly delivered: Map<string, DeliveredMessage[]>;
  /** Pictures and texts that reached the client on the socket that had brought their job's start, by job. */
  readonly clearFrames: Map<string, { readonly at: number; readonly mark: string }[]>;
  /** When a line was cut without a word. */
  readonly cuts: number[];
  /** When the client learnt that an open socket is over. */
  readonly drops: number[];
  /** When a socket took the client id that an older one still held, which makes both deaf in turn. */
  readonly overlaps: number[];
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
  lastFrameAt: new Map(),
  hits: new Set(),
  moments: new Map(),
  untruths: [],
  delivered: new Map(),
  clearFrames: new Map(),
  stops: [],
  resumes: [],
  cuts: [],
  drops: [],
  overlaps: [],
});

/** Writes down that a message reached the client. */
export const recordDelivery = ({ delivered }: Ledger, promptId: string, one: DeliveredMessage): void => {
  const before = delivered.get(promptId);
  if (before === undefined) delivered.set(promptId, [one]);
  else before.push(one);
};
