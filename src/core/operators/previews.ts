import { filter, type OperatorFunction } from 'rxjs';
import type { Frame, Preview } from '../protocol/frames/frame.js';

/**
 * Passes preview pictures and nothing else.
 *
 * ```text
 * source           --a--p1--b--p2--|
 *                  previews()
 * result           -----p1-----p2--|
 * ```
 *
 * It is a filter: it delays and copies nothing, and `image` stays a view on the received bytes. For fewer pictures put
 * `latest` before it. Errors, completion and unsubscription pass straight through.
 * Facts: docs/protocol.md, chapter 7.
 *
 * @example
 * ```ts
 * import { previews, type Frame } from 'promptwire';
 * import { map, type Observable } from 'rxjs';
 *
 * const blobs = (frames: Observable<Frame>): Observable<Blob> =>
 *   frames.pipe(
 *     previews(),
 *     map(({ image, mediaType }) => new Blob([new Uint8Array(image)], { type: mediaType })),
 *   );
 * ```
 */
export const previews = (): OperatorFunction<Frame, Preview> => (source) =>
  source.pipe(filter((frame) => frame._tag === 'Preview'));
