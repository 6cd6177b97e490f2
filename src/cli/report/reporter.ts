import type { CliEvent } from './cli-event.js';

/** Tells a person or a program what happens. */
export interface Reporter {
  readonly report: (event: CliEvent) => void;
  /** Leaves the terminal as it was found; nothing is reported after it. */
  readonly close: () => void;
}
