import { below, partsOf } from '../keys.js';
import {
  eventKey,
  eventOfKey,
  isEnd,
  jobKey,
  type JobHead,
  numberAt,
  type OwnerHead,
  ownerKey,
  type StoredEvent,
} from '../event-values.js';
import { compareValue, type Repairs, valuesOf } from './repairs.js';
import { newEpoch } from '../../../joblog/new-epoch.js';
import { pagesOf, type View } from '../view.js';
import { writeExactJson } from '../../../../core/protocol/json/exact-json.js';

/** What a store knows of the log of one owner besides the events. */
export interface KnownLog {
  head: OwnerHead | undefined;
  readonly jobs: JobHead[];
  /** Whether an entry of it could not be read. */
  isDamaged: boolean;
}

/**
 * Rebuilds what follows from the events of an owner, and gives the heads of the jobs.
 *
 * What is missing becomes a gap: of the owner, and of the jobs that it was of. A head that can't be read gets a new epoch, so that
 * every former position is a gap.
 */
export const rebuildLog = async (
  view: View,
  repairs: Repairs,
  owner: string,
  { head, jobs }: KnownLog,
): Promise<readonly JobHead[]> => {
  const known = new Map(jobs.map((job) => [job.jobId, job]));
  const counted = await countEvents(view, repairs, owner, head?.lostTo ?? 0, known);
  const { found, last, events } = counted;
  const lastKnown = [...known.values()].map((job) => (job.events > 0 ? job.last : 0));
  const end = Math.max(head?.last ?? 0, last, ...lastKnown);
  let { lostTo } = counted;
  for (const job of known.values()) {
    const now = found.get(job.jobId) ?? emptied(owner, job.jobId, job, () => job.place);
    const isCut = job.events > 0 && job.last > Math.max(now.last, now.lostTo);
    if (isCut) repairs.tell(`Events of the job ${job.jobId} of ${owner} up to ${job.last} are lost.`);
    found.set(
      job.jobId,
      isCut ? { ...now, last: job.last, lostTo: job.last } : { ...now, last: Math.max(now.last, job.last) },
    );
    if (isCut) lostTo = Math.max(lostTo, job.last);
  }
  for (const job of found.values()) await compareValue(view, repairs, jobKey(job), job);
  await repairs.flush();
  await dropStray(view, repairs, owner);
  const cutJobs = [...found.values()].filter((job) => job.lostTo > 0).length;
  if (head === undefined)
    repairs.tell(`The log of ${owner} begins anew after event ${end}: positions from before it are gone.`);
  await compareValue(view, repairs, ownerKey(owner), {
    ...{ owner, epoch: head?.epoch ?? newEpoch(), last: end, lostTo, jobs: found.size, events, cutJobs },
  } satisfies OwnerHead);
  return [...found.values()];
};

/** What the events of an owner alone say of the owner and the jobs. */
interface CountedEvents {
  readonly found: Map<string, JobHead>;
  readonly events: number;
  /** The number of the last event. */
  readonly last: number;
  /** The number up to which events are lost. */
  readonly lostTo: number;
}

/** Counts the events of an owner, and puts back the entries of jobs that should lead to them. */
const countEvents = async (
  view: View,
  repairs: Repairs,
  owner: string,
  lostBefore: number,
  known: ReadonlyMap<string, JobHead>,
): Promise<CountedEvents> => {
  const found = new Map<string, JobHead>();
  let place = [...known.values()].reduce((last, job) => Math.max(last, job.place), 0);
  let last = 0;
  let lostTo = lostBefore;
  let events = 0;
  for await (const [key, stored] of valuesOf<StoredEvent>(view, repairs, below('event', owner))) {
    const number = numberAt(key);
    const { jobId, event, before } = stored;
    if (number - 1 > Math.max(last, lostTo)) {
      repairs.tell(`Events ${Math.max(last, lostTo) + 1} to ${number - 1} of ${owner} are lost.`);
      lostTo = number - 1;
    }
    const former = found.get(jobId) ?? emptied(owner, jobId, known.get(jobId), () => (place += 1));
    const isCut = before > Math.max(former.last, former.lostTo);
    found.set(jobId, {
      ...former,
      events: former.events + 1,
      size: former.size + writeExactJson(event).length,
      last: number,
      lostTo: isCut ? before : former.lostTo,
      hasEnded: former.hasEnded || isEnd(event),
    });
    last = number;
    events += 1;
    const [leads] = await view.texts([eventOfKey({ owner, jobId }, number)]);
    if (leads !== undefined) continue;
    repairs.tell(`The entry ${eventOfKey({ owner, jobId }, number)} was missing: it follows from the event.`);
    await repairs.put(eventOfKey({ owner, jobId }, number), null);
  }
  return { found, events, last, lostTo };
};

/** The head of a job before its events are counted. */
const emptied = (
  owner: string,
  jobId: string,
  known: JobHead | undefined,
  newPlace: () => number,
): JobHead => ({
  ...{ owner, jobId, place: known?.place ?? newPlace(), events: 0, size: 0, last: 0 },
  lostTo: known?.lostTo ?? 0,
  hasEnded: known?.hasEnded ?? false,
});

/** Removes what leads to an event that is not there. */
const dropStray = async (view: View, repairs: Repairs, owner: string): Promise<void> => {
  let stray = 0;
  for await (const page of pagesOf(view, below('event-of', owner))) {
    const texts = await view.texts(page.map(([key]) => eventKey(owner, numberAt(key))));
    for (const [at, [key]] of page.entries()) {
      if (texts[at] !== undefined && partsOf(key)?.length === 3) continue;
      stray += 1;
      await repairs.remove(key);
    }
  }
  if (stray > 0)
    repairs.tell(`${stray === 1 ? '1 entry' : `${stray} entries`} of ${owner} led to events that are lost.`);
};
