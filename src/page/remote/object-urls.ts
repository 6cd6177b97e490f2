import { Observable, type OperatorFunction } from 'rxjs';
import type { Preview } from '../../core/protocol/frames/frame.js';

/**
 * Turns previews into addresses for an `<img>`, and releases each of them: after the next one is there, and on completion, error and
 * unsubscription.
 *
 * ```text
 * source           --p1--p2--|
 *                  objectUrls()
 * result           --u1--u2--|          u1 is released at p2, u2 at the end
 * ```
 *
 * The address is an object URL (`blob:…`), so it works only in the page that made it. Errors, completion and unsubscription pass
 * straight through.
 *
 * @example
 * ```ts
 * import { objectUrls, type Remote } from 'promptwire/remote';
 *
 * const show = (remote: Remote, id: string, image: { src: string }) =>
 *   remote.previews(id).pipe(objectUrls()).subscribe((url) => (image.src = url));
 * ```
 */
export const objectUrls = (): OperatorFunction<Preview, string> => (source) =>
  new Observable((subscriber) => {
    let last: string | undefined;
    const release = (): void => {
      if (last !== undefined) URL.revokeObjectURL(last);
    };
    subscriber.add(release);
    return source.subscribe({
      next: ({ image, mediaType }) => {
        const url = URL.createObjectURL(new Blob([image as Uint8Array<ArrayBuffer>], { type: mediaType }));
        subscriber.next(url);
        release();
        last = url;
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
  });
