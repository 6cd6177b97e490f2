import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { Change } from './change.js';
import {
  eventKey,
  eventOfKey,
  type EventTotals,
  jobKey,
  type JobHead,
  noEvents,
  numbersOf,
  orderKey,
  type OwnerHead,
  ownerKey,
  restKey,
  type StoredEvent,
  type StoredRest,
  totalKey,
} from './event-values.js';
import { below, partsOf } from './keys.js';
import { biggestHolders, changeShare, eventShares } from './shares.js';
import { get, getMany } from './view.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';

/** How much a log keeps. */
export interface EventLogLimits {
  /** Events of all owners; default 100 000. */
  readonly maxEvents?: number | undefined;
  /** Characters of all events as JSON; default 64 Mi. */
  readonly maxSize?: number | undefined;
}

/** Removes the events of a job, and the job itself where it is `forgotten`: a position before them becomes a gap. */
export const removeEvents = async (change: Change, job: JobHead, forgotten: boolean): Promise<void> => {
  const { owner, events, size, last, lostTo } = job;
  if (forgotten) change.remove(restKey(job));
  else change.put(restKey(job), await restOf(change, job));
  for await (const numbers of numbersOf(change, job)) {
    for (const number of numbers) {
      change.remove(eventKey(owner, number));
      change.remove(eventOfKey(job, number));
    }
  }
  change.remove(orderKey(job));
  await changeShare(change, eventShares, owner, { events: -events, size: -size });
  if (forgotten) change.remove(jobKey(job));
  else change.put(jobKey(job), { ...job, events: 0, size: 0, lostTo: last } satisfies JobHead);

  const head = await get<OwnerHead>(change, ownerKey(owner));
  if (head !== undefined) {
    const wasCut = lostTo > 0 ? 1 : 0;
    const isCut = forgotten ? 0 : 1;
    change.put(ownerKey(owner), {
      ...head,
      lostTo: Math.max(head.lostTo, events > 0 ? last : lostTo),
      jobs: head.jobs - (forgotten ? 1 : 0),
      events: head.events - events,
      cutJobs: head.cutJobs - wasCut + isCut,
    } satisfies OwnerHead);
  }
  const totals = (await get<EventTotals>(change, totalKey)) ?? noEvents;
  change.put(totalKey, { ...totals, events: totals.events - events, size: totals.size - size });
};

/** What a job has come to with all of its events. */
const restOf = async (change: Change, job: JobHead): Promise<StoredRest> => {
  const before = await get<StoredRest>(change, restKey(job));
  let at = before?.event.at ?? 0;
  let state = before === undefined ? initialJobState({}) : readJobEvent(before.event).state;
  for await (const numbers of numbersOf(change, job)) {
    const keys = numbers.map((number) => eventKey(job.owner, number));
    for (const stored of await getMany<StoredEvent>(change, keys)) {
      if (stored === undefined) continue;
      state = applyJobEvent(state, readJobEvent(stored.event));
      at = stored.event.at;
    }
  }
  return { event: { type: 'submitted', at, state } };
};

/**
 * Removes events until the rest is within the limits, and gives the owners whose logs lost some.
 *
 * Those of the owner that has most go first: of its jobs that have ended, the oldest before the others, then of its oldest job that goes on.
 */
export const makeRoom = async (
  change: Change,
  { maxEvents = 100_000, maxSize = 64 * 1024 * 1024 }: EventLogLimits,
): Promise<readonly string[]> => {
  const owners: string[] = [];
  for (;;) {
    const { events, size } = (await get<EventTotals>(change, totalKey)) ?? noEvents;
    if (events <= maxEvents && size <= maxSize) return owners;
    const next = await nextToGo(change, events > maxEvents ? 'events' : 'size');
    if (next === undefined) return owners;
    await removeEvents(change, next, false);
    owners.push(next.owner);
  }
};

/** The job of the biggest holder whose events go next; entries that lead to no job are removed. */
const nextToGo = async (
  change: Change,
  measure: (typeof eventShares.measures)[number],
): Promise<JobHead | undefined> => {
  for await (const owner of biggestHolders(change, eventShares, measure)) {
    for (;;) {
      const [first] = await change.page({ ...below('log-of', owner), limit: 1 });
      if (first === undefined) break;
      const job = await get<JobHead>(change, jobKey({ owner, jobId: partsOf(first[0])?.at(-1) ?? '' }));
      if (job !== undefined) return job;
      change.remove(first[0]);
    }
  }
  return undefined;
};
