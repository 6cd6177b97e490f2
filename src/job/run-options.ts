import type { SubmitOptions } from '../http/rest.js';
import type { Workflow } from '../protocol/workflow/workflow.js';

/** The plans of the service: free and standard run 1 job at once, creator 3, pro 5; `unlimited` sets no bound here. */
export type ClientTier = 'free' | 'standard' | 'creator' | 'pro' | 'unlimited';

/** Options of `client.submit`. */
export interface LabelledSubmitOptions extends SubmitOptions {
  /** A name of your own for this submission; `client.recent` tells it, and the service never sees it. */
  readonly label?: string | undefined;
}

/** Options of `client.run`. */
export interface RunOptions extends LabelledSubmitOptions {
  /** What unsubscribing before the end does to the job: default `detach`, it goes on. */
  readonly onUnsubscribe?: 'detach' | 'cancel' | undefined;
}

/** Options of `client.runAll`. */
export interface RunAllOptions extends Omit<RunOptions, 'label'> {
  /** At most this tier's number at once. */
  readonly tier?: ClientTier | undefined;
  /** At most this many at once; wins over `tier`. */
  readonly concurrency?: number | 'unlimited' | undefined;
  /** A name of your own for each submission, which its states and `client.recent` tell. */
  readonly label?: string | ((workflow: Workflow, index: number) => string | undefined);
  /** Once it fires no more workflows are taken; the stream completes when the jobs that run have ended. */
  readonly drain?: AbortSignal | undefined;
}
