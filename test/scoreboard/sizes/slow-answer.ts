/** How a slow consumer reads a job's frames. */
export type SlowWay = 'latest' | 'queueing' | 'dropping the oldest';

/** What it saw of one job. */
export interface SlowAnswer {
  /** Every event, in one word each. */
  readonly words: readonly string[];
  readonly previews: number;
  /** The last state's. */
  readonly phase: string;
  /** From the sending of the end until the frames' reader saw it. */
  readonly framesMs: number;
  /** From the sending of the end until the states' reader saw it. */
  readonly stateMs: number;
  readonly peakMiB: number;
}
