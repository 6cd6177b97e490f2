/** An outage of a local server, and when it begins. */
export type EngineOutage = {
  readonly on: 'engine';
  readonly atMs?: number;
  /** How long it is away, in milliseconds; default for good. */
  readonly forMs?: number;
} & (
  | {
      /** Its process ends: connections break, and its port refuses new ones. */
      readonly do: 'kill';
      /**
       * What is left when it starts again: its files alone (default), as of an engine; its history and its queue as well, whose jobs begin
       * anew; or nothing, as of an engine in a container without a disk of its own.
       */
      readonly keeps?: EngineMemory;
    }
  /** It stands still: connections are accepted and nothing is answered, also no ping. What was sent meanwhile is handled then. */
  | { readonly do: 'freeze' }
);

/** What is left of a local server after its process has ended. */
export type EngineMemory = 'nothing' | 'files' | 'queue';
