import type { ServiceErrorTag } from '../../../core/errors/errors.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';

/** A job of a queue. */
export interface QueueJobMessage {
  /** The name of the queue. */
  readonly queue: string;
  /** The queue's id of the job. */
  readonly jobId: string;
  /** Whose job it is. */
  readonly tenant: string;
  /** The worker that holds it. */
  readonly worker?: string | undefined;
  /** The service's id of the job, once it is known. */
  readonly promptId?: string | undefined;
}

/** One step of a job, once it is over. */
export interface QueueStepMessage extends QueueJobMessage {
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When it was over, likewise. */
  readonly endedAt: number;
  /** Why it failed, as a tag; absent if it did not. */
  readonly error?: ServiceErrorTag | 'JobFailed' | undefined;
}

/** A job that is over, as its log says it. */
export interface QueueEndMessage extends QueueJobMessage {
  /** How it ended. */
  readonly phase: TerminalPhase;
  /** Why, where that is more than its phase. */
  readonly reason?: string | undefined;
}

/** A job of which the service may or may not have a run. */
export interface QueueUnknownMessage extends QueueJobMessage {
  /** Why it can't be found out. */
  readonly reason: string;
  /** The jobs of the service that may be it. */
  readonly candidates: readonly string[];
}

/** How full a queue is, from time to time. */
export interface QueueStatsMessage {
  /** The name of the queue. */
  readonly queue: string;
  /** Jobs that wait for a slot. */
  readonly waiting: number;
  /** Jobs that wait for their time. */
  readonly delayed: number;
  /** Jobs that workers hold: slots in use. */
  readonly held: number;
  /** Jobs that wait for a person. */
  readonly unknown: number;
  /** Slots that jobs of other programs use, where a worker counts them. */
  readonly external: number;
  /** Slots in all. */
  readonly limit: number;
}

/** Something a person should read: a pause with its reason, or settings of the store that may lose jobs. */
export interface QueueNoticeMessage {
  /** The name of the queue. */
  readonly queue: string;
  /** A sentence without secrets. */
  readonly message: string;
}

/** The message of each channel. */
export interface QueueMessages {
  /** A job was added. */
  readonly 'promptwire:queue:add': QueueStepMessage;
  /** A job waited for its slot. */
  readonly 'promptwire:queue:wait': QueueStepMessage;
  /** A job was submitted, or found again. */
  readonly 'promptwire:queue:submit': QueueStepMessage;
  /** The service ran a job. */
  readonly 'promptwire:queue:run': QueueStepMessage;
  /** A job is over, whether the service had it or not. */
  readonly 'promptwire:queue:end': QueueEndMessage;
  /** The files of a job went to the sink. */
  readonly 'promptwire:queue:download': QueueStepMessage;
  /** A job became unknown. */
  readonly 'promptwire:queue:unknown': QueueUnknownMessage;
  /** How full the queue is. */
  readonly 'promptwire:queue:stats': QueueStatsMessage;
  /** The queue was paused, with the reason. */
  readonly 'promptwire:queue:pause': QueueNoticeMessage;
  /** The settings of the store are weaker than the queue needs. */
  readonly 'promptwire:queue:warning': QueueNoticeMessage;
}
