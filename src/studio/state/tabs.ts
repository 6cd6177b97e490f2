import { distinct, filter, fromEvent, map, mergeMap, Subscription } from 'rxjs';
import type { Jobs, KnownJob, NamedJob } from './jobs.js';

/** Tells the other tabs of the browser which jobs this one has submitted, and follows theirs; ends with the subscription. */
export const openTabs = (jobs: Pick<Jobs, 'known' | 'follow'>): Subscription => {
  const channel = new BroadcastChannel('promptwire studio');
  const ends = new Subscription(() => channel.close());
  const own = jobs.known.pipe(
    mergeMap((known) => known.values()),
    // The gateway or another tab named a job that the page knows by its id.
    filter((job): job is KnownJob & NamedJob => job.id !== undefined && job.key !== job.id),
    distinct(({ id }) => id),
    map(({ id, createdAt, metadata }): NamedJob => ({ id, createdAt, metadata })),
  );
  ends.add(own.subscribe((job) => channel.postMessage(job)));
  ends.add(
    fromEvent<MessageEvent<NamedJob>>(channel, 'message').subscribe(({ data }) => jobs.follow(data, true)),
  );
  return ends;
};
