import { fromAbortSignal } from '../core/interop/from-abort-signal.js';
import { toAbortSignal } from '../core/interop/to-abort-signal.js';
import type { EventFrame, TextFrame } from '../core/protocol/frames/frame.js';
import type { HistoryRecord } from '../core/endpoints/history.js';
import { readApiWorkflow } from '../workflow/read-api-workflow.js';
import type { JobInput } from '../core/state/job-input.js';

/**
 * The former name of `EventFrame`.
 *
 * @deprecated Use {@link EventFrame}: this name shadows the global `Event`.
 */
export type Event = EventFrame;

/**
 * The former name of `TextFrame`.
 *
 * @deprecated Use {@link TextFrame}: this name shadows the global `Text`.
 */
export type Text = TextFrame;

/**
 * The former name of `HistoryRecord`.
 *
 * @deprecated Use {@link HistoryRecord}: this name shadows the global `History`.
 */
export type History = HistoryRecord;

/**
 * The former name of `JobInput`.
 *
 * @deprecated Use {@link JobInput}: `promptwire/gateway` has another type by this name.
 */
export type JobEvent = JobInput;

/**
 * The former name of `fromAbortSignal`.
 *
 * @deprecated Use {@link fromAbortSignal}: Angular's signals have a function of this name.
 */
export const fromSignal = fromAbortSignal;

/**
 * The former name of `toAbortSignal`.
 *
 * @deprecated Use {@link toAbortSignal}: Angular's signals have a function of this name.
 */
export const toSignal = toAbortSignal;

/**
 * The former name of `readApiWorkflow`.
 *
 * @deprecated Use {@link readApiWorkflow}: `readGraph` reads workflows as well, in either format.
 */
export const readWorkflow = readApiWorkflow;
