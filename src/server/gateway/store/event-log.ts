import type { EventLog } from '../../joblog/event-log.js';
import {
  eventKey,
  eventOfKey,
  type EventTotals,
  isEnd,
  jobKey,
  type JobHead,
  noEvents,
  numberAt,
  orderKey,
  type OwnerHead,
  ownerKey,
  type StoredEvent,
  totalKey,
} from './event-values.js';
import { below } from './keys.js';
import type { Change } from './change.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import { newEpoch } from '../../joblog/new-epoch.js';
import { readEvents } from './read-events.js';
import { recentEvents } from './recent-events.js';
import { changeShare, eventShares } from './shares.js';
import { type EventLogLimits, makeRoom, removeEvents } from './remove-events.js';
import type { Store } from './store.js';
import { get } from './view.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/**
 * Keeps events in a store (docs/stores.md).
 *
 * A page that lacks an event which the log must have, because it can't be read or is not there, is a gap.
 */
export const eventLogIn = (store: Store, limits: EventLogLimits = {}): EventLog => {
  const recent = recentEvents();
  return {
    append: async (owner, jobId, events) => {
      if (events.length === 0) return [];
      const { head, cut } = await store.change(async (change) => ({
        head: await put(change, { owner, jobId }, events),
        cut: await makeRoom(change, limits),
      }));
      const first = head.last - events.length + 1;
      const logged = events.map((event, at) => ({ id: `${head.epoch}-${first + at}`, jobId, event }));
      recent.appended(owner, head, logged);
      for (const one of cut) recent.drop(one);
      return logged.map(({ id }) => id);
    },
    read: async (scope, after, limit) =>
      recent.read(scope, after, limit) ?? store.read((view) => readEvents(view, scope, after, limit)),
    position: async (owner) => {
      const known = await store.read((view) => get<OwnerHead>(view, ownerKey(owner)));
      const { epoch, last } = known ?? (await store.change((change) => headOf(change, owner)));
      return `${epoch}-${last}`;
    },
    expire: async (owner, jobId) => {
      await store.change(async (change) => {
        const job = await get<JobHead>(change, jobKey({ owner, jobId }));
        if (job !== undefined) await removeEvents(change, job, true);
      });
      recent.drop(owner);
    },
  };
};

/** The head of an owner's log; a new one for an owner without events. */
const headOf = async (change: Change, owner: string): Promise<OwnerHead> => {
  const known = await get<OwnerHead>(change, ownerKey(owner));
  if (known !== undefined) return known;
  // There are events where the head was damaged.
  const [newest] = await change.page({ ...below('event', owner), reverse: true, limit: 1 });
  const last = newest === undefined ? 0 : numberAt(newest[0]);
  const head: OwnerHead = { owner, epoch: newEpoch(), last, lostTo: last, jobs: 0, events: 0, cutJobs: 0 };
  change.put(ownerKey(owner), head);
  return head;
};

/** Puts events of a job at the end of its owner's log. */
const put = async (
  change: Change,
  name: Pick<JobHead, 'owner' | 'jobId'>,
  events: readonly LifecycleEvent[],
): Promise<OwnerHead> => {
  const { owner, jobId } = name;
  const head = await headOf(change, owner);
  const totals = (await get<EventTotals>(change, totalKey)) ?? noEvents;
  const known = await get<JobHead>(change, jobKey(name));
  const place = known?.place ?? totals.place + 1;
  let job: JobHead = known ?? {
    ...{ owner, jobId, place, events: 0, size: 0, last: 0, lostTo: 0, hasEnded: false },
  };
  change.remove(orderKey(job));
  for (const [at, event] of events.entries()) {
    const number = head.last + 1 + at;
    change.put(eventKey(owner, number), { jobId, event, before: job.last } satisfies StoredEvent);
    change.put(eventOfKey(name, number), null);
    job = {
      ...job,
      events: job.events + 1,
      size: job.size + writeExactJson(event).length,
      last: number,
      hasEnded: job.hasEnded || isEnd(event),
    };
  }
  change.put(jobKey(name), job);
  change.put(orderKey(job), null);
  const size = job.size - (known?.size ?? 0);
  await changeShare(change, eventShares, owner, { events: events.length, size });
  change.put(totalKey, {
    events: totals.events + events.length,
    size: totals.size + size,
    place: Math.max(totals.place, place),
  } satisfies EventTotals);
  const next: OwnerHead = {
    ...head,
    last: head.last + events.length,
    jobs: head.jobs + (known === undefined ? 1 : 0),
    events: head.events + events.length,
  };
  change.put(ownerKey(owner), next);
  return next;
};
