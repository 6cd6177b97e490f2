import { catchError, concatMap, EMPTY, from, map, type Observable } from 'rxjs';
import type { JobEvent } from './job-events.js';
import type { Remote } from '../../../remote.js';

/** The previews of a job while it runs, as events that hold their pictures: the gateway keeps none. */
export const pictureEvents = (
  remote: Pick<Remote, 'previews'>,
  id: string,
  now: () => number,
): Observable<JobEvent> =>
  remote.previews(id).pipe(
    concatMap(({ nodeId, mediaType, image }) =>
      from(dataUrl(new Blob([image as Uint8Array<ArrayBuffer>], { type: mediaType }))).pipe(
        map((picture): JobEvent => ({ name: 'picture', at: now(), data: { nodeId, picture } })),
      ),
    ),
    // The events say what went wrong.
    catchError(() => EMPTY),
  );

const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('The picture can’t be read.'));
    reader.readAsDataURL(blob);
  });
