import { filter, type OperatorFunction } from 'rxjs';
import type { Frame, TextFrame } from '../protocol/frames/frame.js';

/**
 * Passes the progress texts of nodes and nothing else.
 *
 * ```text
 * source           --a--t1--p--t2--|
 *                  progressText()
 * result           -----t1-----t2--|
 * ```
 *
 * It is a filter and delays nothing. The text is exactly what the node sent: treat it as untrusted where you show it.
 * Errors, completion and unsubscription pass straight through. Facts: docs/protocol.md, chapter 7.
 *
 * @example
 * ```ts
 * import { progressText, type Frame } from 'promptwire';
 * import { map, type Observable } from 'rxjs';
 *
 * const lines = (frames: Observable<Frame>): Observable<string> =>
 *   frames.pipe(
 *     progressText(),
 *     map(({ nodeId, text }) => `${nodeId}: ${text}`),
 *   );
 * ```
 */
export const progressText = (): OperatorFunction<Frame, TextFrame> => (source) =>
  source.pipe(filter((frame) => frame._tag === 'Text'));
