import type * as t from 'io-ts';
import { executed } from './executed.js';
import { executing } from './executing.js';
import { executionCached } from './execution-cached.js';
import { executionError } from './execution-error.js';
import { executionInterrupted } from './execution-interrupted.js';
import { executionStart } from './execution-start.js';
import { executionSuccess } from './execution-success.js';
import { featureFlags } from './feature-flags.js';
import { notification } from './notification.js';
import { progress } from './progress.js';
import { progressState } from './progress-state.js';
import { status } from './status.js';
import type { EventType } from './event-data.js';

/**
 * The one definition of each message, by its `type`; a map, so that no `type` finds what an object inherits. The commonest
 * stand first, since the generated guards ask in this order.
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
