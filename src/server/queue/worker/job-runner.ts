import type { Client } from '../../../client/client-types.js';
import type { OpenQueue } from '../jobs/open-queue.js';
import type { QueueRecord } from '../store/job-store.js';
import type { QueueWorkerOptions } from '../options.js';
import type { RunContext } from './run-context.js';
import type { TellThrown } from './tell-thrown.js';
import type { TokenRunner } from '../engine/run-tokens.js';

/** The jobs of a worker, and where their clients are. */
export interface JobRunner {
  readonly running: () => number;
  /** Takes no more jobs, and resolves once none runs here. */
  readonly close: () => Promise<void>;
  /** The client of a job's service; undefined if this worker does not reach it. */
  readonly clientOf: (job: Pick<QueueRecord, 'server'>) => Client | undefined;
  readonly clients: () => readonly Client[];
  /** Runs slot tokens, where the jobs are those of an account. */
  readonly slotTokens?: TokenRunner;
}

/** What runs jobs, of an account or over servers. */
export interface JobRunnerOptions {
  readonly options: QueueWorkerOptions;
  readonly queue: OpenQueue;
  readonly worker: string;
  readonly stopping: AbortSignal;
  readonly lockMs: number;
  readonly contextOf: ContextOf;
  readonly tellThrown: TellThrown;
}

/** The parts of each run by a client; `pauses` keeps its service from getting jobs. */
export type ContextOf = (
  client: Client,
  pauses: (message: string) => Promise<void>,
) => Omit<RunContext, 'signal' | 'pause'>;
