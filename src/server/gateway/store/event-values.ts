import { isTerminal } from '../../../core/state/job-state.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import { below, type KeyRange, keyOf } from './keys.js';
import type { View } from './view.js';

/** Below `owner!OWNER`: where the log of an owner is. */
export interface OwnerHead {
  readonly owner: string;
  /** Names this log: a position with another epoch belongs to another log. */
  readonly epoch: string;
  /** The number of the last event. */
  readonly last: number;
  /** The highest number of an event that is gone. */
  readonly lostTo: number;
  /** How many jobs have events or had them, and are not forgotten. */
  readonly jobs: number;
  /** How many events are kept. */
  readonly events: number;
  /** How many of the jobs have lost events. */
  readonly cutJobs: number;
}

/** Below `log!OWNER!JOB`: the events of a job. */
export interface JobHead {
  readonly owner: string;
  readonly jobId: string;
  /** Its place among all jobs, in the order of their first events. */
  readonly place: number;
  /** How many of its events are kept. */
  readonly events: number;
  /** The characters of these events. */
  readonly size: number;
  /** The number of its last event. */
  readonly last: number;
  /** The highest number of an event of it that is gone. */
  readonly lostTo: number;
  readonly hasEnded: boolean;
}

/** Below `event!OWNER!NUMBER`: an event. */
export interface StoredEvent {
  readonly jobId: string;
  readonly event: LifecycleEvent;
  /** The number of the job's event before it; 0 for the first one. */
  readonly before: number;
}

/** Below `rest!OWNER!JOB`: what a job had come to with the last of its events that made room. */
export interface StoredRest {
  readonly event: Extract<LifecycleEvent, { readonly type: 'submitted' }>;
}

/** Below `total!events`: what all logs hold. */
export interface EventTotals {
  readonly events: number;
  readonly size: number;
  /** The place of the newest job. */
  readonly place: number;
}

export const noEvents: EventTotals = { events: 0, size: 0, place: 0 };

export const totalKey = keyOf('total', 'events');
export const ownerKey = (owner: string): string => keyOf('owner', owner);
export const jobKey = ({ owner, jobId }: Pick<JobHead, 'owner' | 'jobId'>): string =>
  keyOf('log', owner, jobId);
export const restKey = ({ owner, jobId }: Pick<JobHead, 'owner' | 'jobId'>): string =>
  keyOf('rest', owner, jobId);
export const eventKey = (owner: string, number: number): string => keyOf('event', owner, number);
/** Leads from a job to the number of its event; the value says nothing. */
export const eventOfKey = ({ owner, jobId }: Pick<JobHead, 'owner' | 'jobId'>, number: number): string =>
  keyOf('event-of', owner, jobId, number);
/** The order in which the jobs of an owner that have events make room for others: those that have ended first. */
export const orderKey = ({ hasEnded, place, owner, jobId }: JobHead): string =>
  keyOf('log-of', owner, hasEnded ? 0 : 1, place, jobId);

/** The part of a range of numbers that comes after one of them, up to another one. */
export const eventsAfter = ({ gte = '' }: KeyRange, number: number, last: number): KeyRange => ({
  gt: `${gte}${digits(number)}`,
  lte: `${gte}${digits(last)}`,
});

const digits = (number: number): string => String(number).padStart(16, '0');

/** The number at the end of a key. */
export const numberAt = (key: string): number => Number(key.slice(-16));

/** The numbers of the kept events of a job. */
export async function* numbersOf(
  view: View,
  job: Pick<JobHead, 'owner' | 'jobId'>,
): AsyncGenerator<readonly number[]> {
  let range = below('event-of', job.owner, job.jobId);
  for (;;) {
    const page = await view.page({ ...range, limit: 500 });
    if (page.length === 0) return;
    yield page.map(([key]) => numberAt(key));
    range = { gt: page.at(-1)?.[0] ?? '', lt: range.lt ?? '' };
  }
}

/** Whether a job is over with an event. */
export const isEnd = (event: LifecycleEvent): boolean =>
  (event.type === 'status' && isTerminal(event.status.phase)) ||
  (event.type === 'submitted' && isTerminal(event.state.phase));
