import type { HttpClient } from './http-client.js';
import { distinctUntilChanged, filter, map, type Observable, switchMap, takeWhile } from 'rxjs';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { isTerminal } from '../../core/state/job-state.js';
import type { JobState } from '../../core/state/job-state.js';
import { jsonBy, readState } from './read-answer.js';
import type { Feed } from './feed.js';
import { pathPart } from '../../core/protocol/path-part.js';

/** The states of one job of the feed, up to its end. A job that the feed does not know has ended long ago, or is about to be told. */
export const createFollow =
  (news: Observable<Feed>, { request, withRetries }: HttpClient) =>
  (id: string): Observable<JobState> => {
    const read = jsonBy((value) => (isJsonObject(value) ? readState(value['state']) : undefined));
    const asked = request({ path: `/jobs/${pathPart(id)}` }, read, withRetries).pipe(
      // This answer has no place in the stream: a state that goes on comes from there.
      filter(({ phase }) => isTerminal(phase)),
    );
    return news.pipe(
      filter(({ job }, index) => index === 0 || job === undefined || job === id),
      map(({ jobs }) => jobs.get(id)),
      distinctUntilChanged((one, other) => one !== undefined && one === other),
      switchMap((state) => (state === undefined ? asked : [state])),
      takeWhile(({ phase }) => !isTerminal(phase), true),
    );
  };
