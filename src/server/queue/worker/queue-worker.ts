/** The health of a worker. */
export interface WorkerHealth {
  /** Whether it takes jobs: it is open, and Redis answers and takes writes. */
  readonly ready: boolean;
  /** How many jobs it runs. */
  readonly running: number;
  /** Whether it stops. */
  readonly closing: boolean;
  /** Why Redis can't be used, in the last words of its client, where that is why the worker is not ready. */
  readonly reason?: string | undefined;
}

/** Options of `QueueWorker.close`. */
export interface WorkerCloseOptions {
  /** How long the jobs that run here may take to end before they are handed over, in milliseconds; default 0. */
  readonly graceMs?: number | undefined;
}

/** A worker of a queue, as `createWorker` makes it. */
export interface QueueWorker extends AsyncDisposable {
  /** Its name in records and logs. */
  readonly id: string;
  /** Resolves once it takes jobs; rejects with a `ServiceError` where it can't begin. */
  readonly ready: Promise<void>;
  /** Reports its health, for the probes of a supervisor. */
  readonly health: () => Promise<WorkerHealth>;
  /**
   * Takes no more jobs, waits for those that run for as long as `graceMs`, hands the others over to other workers, and resolves once
   * its connections are closed. A submission under way gets its answer first. It takes 35 s more than `graceMs` at most, and about 3 s while
   * Redis is unreachable: another worker takes the jobs once Redis is back. The client stays open.
   */
  readonly close: (options?: WorkerCloseOptions) => Promise<void>;
}
