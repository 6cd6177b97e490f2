import type { Occurrence } from './occurrence.js';

/** Faults of jobs; matches are jobs in the order of their acceptance. */
export type JobFault = Occurrence & { readonly on: 'job' } &
  /** The worker vanishes at the start: the cloud says `lost`, a local server forgets the job. */
  (
    | { readonly do: 'lose' }
    /** Status and record find nothing: always (default), or once it has ended. */
    | { readonly do: 'vanish'; readonly when?: 'always' | 'ended' }
    /** After this many events of it (default 1) all sockets are cut, and none may open until it has ended. */
    | { readonly do: 'finish-while-disconnected'; readonly events?: number }
    /** The status endpoint says this word: always (default), until the job has ended, or from then on. */
    | { readonly do: 'status'; readonly word: string; readonly when?: 'always' | 'moving' | 'ended' }
    /** The first reads of its record after its end have no outputs. */
    | { readonly do: 'late-outputs'; readonly reads: number }
    /** Its record is found only this long after its end. */
    | { readonly do: 'history-lag'; readonly ms: number }
    /** Its record has these outputs, by node id, instead of its own. */
    | { readonly do: 'outputs'; readonly outputs: Readonly<Record<string, unknown>> }
  );
