import { noGateway } from './read-answer.js';
import { filter, Observable } from 'rxjs';
import type { HttpClient } from './http-client.js';
import type { Feed } from './feed.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Preview } from '../../core/protocol/frames/frame.js';
import type { PreviewNews } from './stream-event.js';
import { pathPart } from '../../core/protocol/path-part.js';

/**
 * The previews of one job, fetched one at a time over all jobs, so that they take one connection: of each node the newest that there is
 * when its turn comes.
 */
export const createPreviews = (
  news: Observable<Feed>,
  { request }: HttpClient,
  follow: (id: string) => Observable<JobState>,
): ((id: string) => Observable<Preview>) => {
  let turn: Promise<unknown> = Promise.resolve();
  return (id) =>
    new Observable((subscriber) => {
      const shown = new Map<string, string>();
      let newest: ReadonlyMap<string, PreviewNews> = new Map();
      let isWaiting = false;

      const unseen = (): PreviewNews | undefined =>
        [...newest.values()].find((one) => shown.get(one.nodeId) !== one.id);
      const fetchNext = (): Promise<void> =>
        new Promise((done) => {
          isWaiting = false;
          const next = unseen();
          if (subscriber.closed || next === undefined) {
            done();
            return;
          }
          const { job, nodeId } = next;
          shown.set(nodeId, next.id);
          const path = `/jobs/${pathPart(job)}/previews/${pathPart(nodeId)}`;
          const fetched = request<Preview>({ path }, async (response, give) => {
            const mediaType = response.headers.get('content-type') ?? '';
            if (/^text\/html/iu.test(mediaType)) throw noGateway('the answer is an HTML page');
            const image = new Uint8Array(await response.arrayBuffer());
            give({ _tag: 'Preview', mediaType, image, promptId: job, nodeId });
          });
          // A preview that is gone has a newer one, or its job has ended.
          const fetching = fetched.subscribe({
            next: (preview) => subscriber.next(preview),
            error: () => undefined,
          });
          fetching.add(done);
          fetching.add(look);
          subscriber.add(fetching);
        });
      const look = (): void => {
        if (isWaiting || subscriber.closed) return;
        if (unseen() === undefined) return;
        isWaiting = true;
        turn = turn.then(fetchNext);
      };
      const watching = news
        .pipe(filter(({ job }, index) => index === 0 || job === undefined || job === id))
        .subscribe({
          next: ({ previews }) => {
            newest = previews.get(id) ?? newest;
            look();
          },
          // The states say how it ends.
          error: () => undefined,
        });
      subscriber.add(watching);
      subscriber.add(
        follow(id).subscribe({
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      );
    });
};
