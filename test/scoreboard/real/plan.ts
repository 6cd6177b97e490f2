import type { Fault } from '../../../src/emulator.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** What a client does for its first submission, as the platform sees it. */
export type SubmissionMoment = 'connecting' | 'posting' | 'sent' | 'answered';

/** One job of a run on real sockets. */
export interface RealJob {
  readonly index: number;
  readonly via: 'run' | 'submit';
  readonly workflow: Workflow;
  /** Asks for its end as soon as it is known. */
  readonly cancels: boolean;
  /** Its user aborts it so many real milliseconds after the client did this for the first time. */
  readonly aborts?: { readonly at: SubmissionMoment; readonly afterMs: number };
}

/** One fault or a few that belong together, by the name of what they are. */
export interface Strike {
  readonly index: number;
  readonly kind: string;
  readonly faults: readonly Fault[];
  /** Which of the client's addresses speaks TLS, to a service that does not. */
  readonly tls?: 'socket' | 'api';
}

/** Everything that one run on real sockets begins with; what the machine does to it is not in here. */
export interface RealPlan {
  readonly seed: number;
  /** How many times faster than real time the client's clock runs. */
  readonly hurry: number;
  /** The pace of the emulator. */
  readonly speed: number;
  readonly jobs: readonly RealJob[];
  readonly strikes: readonly Strike[];
  /** The service starts only once the client was refused, so that the first submission never leaves. */
  readonly startsLate?: boolean;
}
