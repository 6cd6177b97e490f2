import type { FaultKind } from './faults/index.js';

/** The moments of a job's life at which a fault can strike, in their order. */
export const moments = [
  'before',
  'connecting',
  'posting',
  'accepted',
  'answered',
  'queued',
  'started',
  'running',
  'executed',
  'ending',
  'ended',
  'settled',
] as const;

/** One of {@link moments}. */
export type Moment = (typeof moments)[number];

/** One job: what its user does and what the service makes of it. */
export interface JobPlan {
  readonly index: number;
  readonly startsAt: number;
  /** How it is begun: `follow` is a job that another program submitted. */
  readonly via: 'run' | 'submit' | 'follow';
  /** When a second watcher comes, after the first. */
  readonly lateMs: number;
  readonly queueMs: number;
  readonly nodes: number;
  readonly stepMs: number;
  readonly end: 'completed' | 'failed' | 'cancelled';
  /** How long history trails the end, and what it shows until then. */
  readonly lagMs: number;
  readonly lagShows: 'nothing' | 'record without outputs' | 'some outputs' | 'unfinished record';
  /** The record trails an end of any kind; otherwise only that of a success does for long. */
  readonly lagsAlways?: boolean;
  /** Every node is cached: no `executed` is sent, outputs are in history only. */
  readonly cached: boolean;
  /** Where its files are reported: by events and in its record, by events only, or there are none. Default: `both`. */
  readonly files?: 'both' | 'events' | 'none';
  /** Its first node reports an empty list of files. */
  readonly emptyList?: boolean;
  /** Names, and the reason of a failure, are long. */
  readonly isLong?: boolean;
  /** Its record says that it went wrong, and no more. */
  readonly withoutMessages?: boolean;
  /** Its status says why it failed; otherwise that it did, and no more. */
  readonly tellsReason?: boolean;
  /** Locally: it was submitted without a client id, so that its progress is broadcast to every socket. */
  readonly clientless?: boolean;
  /** Locally: its first node is blocked, which looks like a failure and is none. */
  readonly blocked?: boolean;
  /** Locally: its nodes report numbers that JSON does not know. */
  readonly oddNumbers?: boolean;
}

/** One fault: it strikes when the job reaches the moment, and a little later. */
export interface Fault {
  /** Its place in the drawn schedule, by which it is named. */
  readonly index: number;
  readonly kind: FaultKind;
  readonly job: number;
  readonly moment: Moment;
  readonly afterMs: number;
  /** 0 to 1: how much of it, each kind in its own unit. */
  readonly size: number;
}

/** Something that the user does at a time, in any state of the job. */
export interface Act {
  readonly index: number;
  readonly at: number;
  readonly what:
    | 'watch again'
    | 'cancel'
    | 'leave'
    | 'abort'
    | 'change key'
    | 'resume'
    | 'sleep'
    | 'step wall clock'
    | 'dispose';
  readonly job: number;
  readonly size: number;
}

/** Everything that one simulation depends on. */
export interface Schedule {
  readonly seed: number;
  /** Which service is played; default `cloud`. */
  readonly dialect?: 'cloud' | 'local' | 'v2';
  /** The service has the jobs API, and answers with all that its jobs report; default: it does. */
  readonly withoutDetail?: boolean;
  /** What the client runs on: a page can neither ping nor see why a handshake failed. */
  readonly platform: 'node' | 'page';
  readonly jobs: readonly JobPlan[];
  readonly faults: readonly Fault[];
  readonly acts?: readonly Act[];
}
