/** Where a process of a queue is killed, named by what it has done last or does next. */
export const killPoints = [
  'before it takes a job',
  'after it took a job',
  'before the intent',
  'after the intent',
  'before the request',
  'while the request is under way',
  'after the answer',
  'before the id is stored',
  'after the id is stored',
  'before events are logged',
  'after events are logged',
  'before the job is left',
  'after the job is left',
  'while it looks for a job',
  'after it looked for a job',
  'before it delivers',
  'while it downloads',
  'after it delivered',
  'between a job and its turn',
  'at any moment',
] as const;

/** The name of a moment of a process. */
export type KillPoint = (typeof killPoints)[number];

/** A server of a queue over servers. */
export interface PlannedServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly slots: number;
}

/** What a process of a queue is given. */
export interface QueueProcessPlan {
  readonly redis: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly apiKey: string;
  readonly dialect: 'cloud' | 'local' | 'v2';
  /** How many slots the account has. */
  readonly tier: number;
  /** The servers that a worker of a queue over servers brings; absent in the queue of an account. */
  readonly servers?: readonly PlannedServer[];
  readonly lockMs?: number;
  readonly rules?: {
    readonly deadlineMs: number;
    readonly lagMs: number;
    readonly lookEveryMs: number;
  };
  /** Where files go; absent: nowhere. */
  readonly folder?: string;
  /** Where it kills itself. */
  readonly kill?: { readonly point: KillPoint; readonly nth: number };
  /** The time that it gives its jobs at SIGTERM, in milliseconds. */
  readonly graceMs?: number;
}
