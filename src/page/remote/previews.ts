import { noGateway } from './read-answer.js';
import { concatMap, filter, Observable, Subject } from 'rxjs';
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
  const turns = new Subject<Observable<never>>();
  turns.pipe(concatMap((turn) => turn)).subscribe();
  const fetched = ({ job, nodeId }: PreviewNews): Observable<Preview> =>
    request({ path: `/jobs/${pathPart(job)}/previews/${pathPart(nodeId)}` }, async (response, give) => {
      const mediaType = response.headers.get('content-type') ?? '';
      if (/^text\/html/iu.test(mediaType)) throw noGateway('the answer is an HTML page');
      const image = new Uint8Array(await response.arrayBuffer());
      give({ _tag: 'Preview', mediaType, image, promptId: job, nodeId });
    });
  return (id) =>
    new Observable((subscriber) => {
      const shown = new Map<string, string>();
      let newest: ReadonlyMap<string, PreviewNews> = new Map();
      let isWaiting = false;

      const unseen = (): PreviewNews | undefined =>
        subscriber.closed ? undefined : [...newest.values()].find((one) => shown.get(one.nodeId) !== one.id);
      const turn = new Observable<never>((done) => {
        isWaiting = false;
        const next = unseen();
        if (next === undefined) {
          done.complete();
          return;
        }
        shown.set(next.nodeId, next.id);
        // A preview that is gone has a newer one, or its job has ended.
        const fetching = fetched(next).subscribe({
          next: (preview) => subscriber.next(preview),
          error: () => undefined,
        });
        fetching.add(() => done.complete());
        fetching.add(queueTurn);
        subscriber.add(fetching);
      });
      const queueTurn = (): void => {
        if (isWaiting || unseen() === undefined) return;
        isWaiting = true;
        turns.next(turn);
      };
      const watching = news
        .pipe(filter(({ job }, index) => index === 0 || job === undefined || job === id))
        .subscribe({
          next: ({ previews }) => {
            newest = previews.get(id) ?? newest;
            queueTurn();
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
