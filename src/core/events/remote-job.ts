import type { JobState } from '../state/job-state.js';

/** One of the caller's jobs, as a gateway writes it and a remote reads it. Times are in milliseconds since 1970. */
export interface RemoteJob {
  /** The gateway's id of the job, which `follow` takes. */
  readonly id: string;
  /** As it was when the gateway answered; its `promptId` is `id`. */
  readonly state: JobState;
  /** When it was submitted. */
  readonly createdAt: number;
  /** When the gateway forgets the job. */
  readonly expiresAt: number;
  /** When it began to run. */
  readonly startedAt?: number;
  /** When it ended. */
  readonly endedAt?: number;
  /** When its end was asked for. */
  readonly cancelRequestedAt?: number;
  /** As submitted. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The template that it is of. */
  readonly template?: string;
}
