import type * as t from 'io-ts';
import type { executed } from './executed.js';
import type { executing } from './executing.js';
import type { executionCached } from './execution-cached.js';
import type { executionError } from './execution-error.js';
import type { executionInterrupted } from './execution-interrupted.js';
import type { executionStart } from './execution-start.js';
import type { executionSuccess } from './execution-success.js';
import type { featureFlags } from './feature-flags.js';
import type { notification } from './notification.js';
import type { progress } from './progress.js';
import type { progressState } from './progress-state.js';
import type { status } from './status.js';

type Data<C extends t.Any> = DeepReadonly<t.TypeOf<C>>;

type DeepReadonly<A> = A extends object ? { readonly [Key in keyof A]: DeepReadonly<A[Key]> } : A;

/**
 * What each text message carries in `data`, by its `type`: the eleven events of the interface and the answer of the
 * feature-flag handshake, members as on the wire (docs/protocol.md, chapter 6).
 *
 * @example
 * ```ts
 * import type { EventData } from 'promptwire';
 *
 * const isEnd = ({ node }: EventData['executing']): boolean => node === undefined || node === null || node === '';
 * ```
 */
export interface EventData {
  readonly status: Data<typeof status>;
  readonly notification: Data<typeof notification>;
  readonly execution_start: Data<typeof executionStart>;
  readonly execution_cached: Data<typeof executionCached>;
  readonly executing: Data<typeof executing>;
  readonly progress: Data<typeof progress>;
  readonly progress_state: Data<typeof progressState>;
  readonly executed: Data<typeof executed>;
  readonly execution_success: Data<typeof executionSuccess>;
  readonly execution_error: Data<typeof executionError>;
  readonly execution_interrupted: Data<typeof executionInterrupted>;
  readonly feature_flags: Data<typeof featureFlags>;
}

/** The `type` of a text message that this version knows. */
export type EventType = keyof EventData;
