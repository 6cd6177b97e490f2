import type { LogPage, LogScope } from '../../joblog/event-log.js';
import {
  eventKey,
  eventOfKey,
  eventsAfter,
  jobKey,
  type JobHead,
  numberAt,
  type OwnerHead,
  ownerKey,
  restKey,
  type StoredEvent,
  type StoredRest,
} from './event-values.js';
import { below } from './keys.js';
import { get, getMany, type View } from './view.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';

const gap: LogPage = { events: [], gap: true };

/** Reads a page of a log. One that lacks an event which the log must have is a gap as well, and the view reports it. */
export const readEvents = async (
  view: View,
  { owner, jobId }: LogScope,
  after: string | undefined,
  limit: number,
): Promise<LogPage> => {
  const head = await get<OwnerHead>(view, ownerKey(owner));
  if (head === undefined) return { events: [], gap: after !== undefined || jobId !== undefined };
  const number = after === undefined ? 0 : numberOf(head, after);
  if (number === undefined) return gap;
  if (jobId === undefined) {
    const isCut = after === undefined ? head.cutJobs > 0 : number < head.lostTo;
    return isCut ? gap : pageOfOwner(view, head, number, limit);
  }
  const job = await get<JobHead>(view, jobKey({ owner, jobId }));
  if (job === undefined) return gap;
  if (number >= job.lostTo) return pageOfJob(view, head, job, number, limit);
  return after === undefined ? gapWithRest(view, head, job) : gap;
};

const gapWithRest = async (view: View, { epoch }: OwnerHead, job: JobHead): Promise<LogPage> => {
  const rest = await get<StoredRest>(view, restKey(job));
  if (rest === undefined) return gap;
  return {
    ...gap,
    rest: { id: `${epoch}-${job.lostTo}`, jobId: job.jobId, event: readJobEvent(rest.event) },
  };
};

/** The number of a position; undefined if this log has no such position. */
const numberOf = ({ epoch, last }: OwnerHead, position: string): number | undefined => {
  const [, name, digits = ''] = /^([^~]+)-(0|[1-9]\d{0,14})$/u.exec(position) ?? [];
  const number = Number(digits);
  return name === epoch && number <= last ? number : undefined;
};

const pageOfOwner = async (
  view: View,
  { owner, epoch, last, lostTo }: OwnerHead,
  number: number,
  limit: number,
): Promise<LogPage> => {
  const page = await view.page({ ...eventsAfter(below('event', owner), number, last), limit });
  const events = await eventsOf(
    view,
    owner,
    page.map(([key]) => key),
  );
  let before = number;
  // Up to the highest number that is gone, those of forgotten jobs are not there.
  const isHole = (next: number): boolean => next - 1 > Math.max(before, lostTo);
  for (const { number: next } of events) {
    if (isHole(next)) return lacks(view, eventKey(owner, before + 1));
    before = next;
  }
  if (page.length < limit && isHole(last + 1)) return lacks(view, eventKey(owner, last));
  return pageOf(epoch, events);
};

const pageOfJob = async (
  view: View,
  { owner, epoch }: OwnerHead,
  { jobId, last, lostTo }: JobHead,
  number: number,
  limit: number,
): Promise<LogPage> => {
  const page = await view.page({ ...eventsAfter(below('event-of', owner, jobId), number, last), limit });
  const keys = page.map(([key]) => key).filter((key) => key === eventOfKey({ owner, jobId }, numberAt(key)));
  const all = await eventsOf(
    view,
    owner,
    keys.map((key) => eventKey(owner, numberAt(key))),
  );
  const events = all.filter(({ stored }) => stored.jobId === jobId);
  let before = number;
  for (const { number: next, stored } of events) {
    if (stored.before > Math.max(before, lostTo)) return lacks(view, eventKey(owner, stored.before));
    before = next;
  }
  if (page.length < limit && last > Math.max(before, lostTo)) return lacks(view, eventKey(owner, last));
  return pageOf(epoch, events);
};

const lacks = (view: View, key: string): LogPage => {
  view.damaged(key);
  return gap;
};

interface NumberedEvent {
  readonly number: number;
  readonly stored: StoredEvent;
}

/** The events below keys, without those that can't be read, which leaves a hole. */
const eventsOf = async (
  view: View,
  owner: string,
  keys: readonly string[],
): Promise<readonly NumberedEvent[]> => {
  const own = keys.filter((key) => key === eventKey(owner, numberAt(key)));
  const stored = await getMany<StoredEvent>(view, own);
  return own.flatMap((key, at) => {
    const one = stored[at];
    return one === undefined ? [] : [{ number: numberAt(key), stored: one }];
  });
};

const pageOf = (epoch: string, events: readonly NumberedEvent[]): LogPage => ({
  events: events.map(({ number, stored: { jobId, event } }) => ({
    ...{ id: `${epoch}-${number}`, jobId },
    event: readJobEvent(event),
  })),
  gap: false,
});
