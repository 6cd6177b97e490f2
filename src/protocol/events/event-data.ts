import {
  executed,
  executing,
  executionCached,
  executionError,
  executionInterrupted,
  executionStart,
  executionSuccess,
  featureFlags,
  notification,
  progress,
  progressState,
  status,
} from './events.js';
import type * as t from 'io-ts';

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

/**
 * The codec of each message by its `type`; a map, so that a `type` such as `constructor` finds nothing inherited. The most
 * frequent types come first, because the generated guards test them in this order.
 */
export const eventCodecs: ReadonlyMap<string, t.Mixed> = new Map<EventType, t.Mixed>([
  ['progress', progress],
  ['progress_state', progressState],
  ['status', status],
  ['notification', notification],
  ['execution_start', executionStart],
  ['execution_cached', executionCached],
  ['executing', executing],
  ['executed', executed],
  ['execution_success', executionSuccess],
  ['execution_error', executionError],
  ['execution_interrupted', executionInterrupted],
  ['feature_flags', featureFlags],
]);
