import { distinct, filter, fromEvent, map, merge, mergeMap, type Observable, Subscription } from 'rxjs';
import type { Jobs, KnownJob, NamedJob } from './jobs.js';

/** What tabs of a browser tell each other. */
type Told = { readonly submitted: NamedJob } | { readonly deleted: string };

interface Tabs {
  readonly jobs: Pick<Jobs, 'known' | 'follow'>;
  /** Ids of jobs that this tab has deleted. */
  readonly deleted: Observable<string>;
  /** Another tab has deleted a job. */
  readonly onDeleted: (id: string) => void;
}

/** Tells the other tabs of the browser which jobs this one has submitted and deleted, and hears of theirs; ends with the subscription. */
export const openTabs = ({ jobs, deleted, onDeleted }: Tabs): Subscription => {
  const channel = new BroadcastChannel('promptwire studio');
  const ends = new Subscription(() => channel.close());
  const submitted = jobs.known.pipe(
    mergeMap((known) => known.values()),
    // The gateway or another tab named a job that the page knows by its id.
    filter((job): job is KnownJob & NamedJob => job.id !== undefined && job.key !== job.id),
    distinct(({ id }) => id),
    map(({ id, createdAt, metadata }): Told => ({ submitted: { id, createdAt, metadata } })),
  );
  const own = merge(submitted, deleted.pipe(map((id): Told => ({ deleted: id }))));
  ends.add(own.subscribe((told) => channel.postMessage(told)));
  ends.add(
    fromEvent<MessageEvent<Told>>(channel, 'message').subscribe(({ data }) => {
      if ('deleted' in data) onDeleted(data.deleted);
      else jobs.follow(data.submitted, true);
    }),
  );
  return ends;
};
