/** One job of the queue listing. */
export interface QueueItem {
  readonly promptId: string;
  /** Position (cloud) or priority (local). */
  readonly number: number;
  readonly createdAt?: number;
}

/** Jobs that run and jobs that wait, the next one first. */
export interface Queue {
  readonly running: readonly QueueItem[];
  readonly pending: readonly QueueItem[];
}
