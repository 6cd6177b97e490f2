import { applyJobEvent } from './apply-job-event.js';
import { changesBetween } from './changes-between.js';
import type { Clock, JobState, Preview } from 'promptwire';
import type { EventLog } from '../ports/event-log.js';
import type { GatewayJob, GatewayPreview } from './gateway-jobs.js';
import { initialJobState } from '../../state/initial-job-state.js';
import { isTerminal } from '../../state/job-state.js';
import type { JobIndex, JobRecord } from '../ports/job-index.js';
import type { LifecycleEvent } from './job-event.js';
import { firstValueFrom, merge, Subject } from 'rxjs';
import { fromAbortSignal } from '../../interop/from-abort-signal.js';
import { timerOn } from '../../platform/timer.js';

/** One job on the board: its published state is the one that readers may know. */
export interface BoardJob extends GatewayJob {
  readonly record: JobRecord;
  readonly state: JobState;
  /** The position of its last event that is published. */
  readonly position?: string;
  /** Grows with each published progress. */
  readonly progressVersion: number;
  /** When the state was published, in milliseconds since 1970. */
  readonly publishedAt: number;
  /** The newest preview of each node while the job runs. */
  readonly previews: ReadonlyMap<string, GatewayPreview>;
}

/** The current state of all jobs, and the order in which their events become known. */
export interface JobBoard {
  readonly get: (id: string) => BoardJob | undefined;
  /** Loads a job from its events, where it is not on the board yet. */
  readonly load: (record: JobRecord) => Promise<BoardJob>;
  /** Puts up a new job; resolves once its first event is durable. */
  readonly open: (record: JobRecord, state: JobState) => Promise<BoardJob>;
  /** Takes a newer state of a job: its lifecycle events become durable, then known. */
  readonly moved: (id: string, state: JobState) => void;
  readonly pictured: (id: string, preview: Preview) => void;
  readonly changed: (record: JobRecord) => void;
  /** Adds an event that changes no state; resolves once it is durable. */
  readonly noted: (id: string, event: LifecycleEvent) => Promise<void>;
  /** The newest state, which may not be durable yet. */
  readonly latest: (id: string) => JobState | undefined;
  readonly remove: (record: JobRecord) => Promise<void>;
  /** Resolves once the owner's position is known. */
  readonly ready: (owner: string) => Promise<void>;
  /** Where the owner's log is, of what is published: the states are those of this position. */
  readonly position: (owner: string) => string | undefined;
  /** The owner's jobs, the oldest first. */
  readonly ofOwner: (owner: string) => readonly BoardJob[];
  /** Emits with everything new about a job. */
  readonly news: Subject<{ readonly owner: string; readonly jobId: string }>;
  /** Resolves once all events so far are durable. */
  readonly settled: () => Promise<void>;
}

interface Card {
  record: JobRecord;
  /** What readers may know. */
  state: JobState;
  /** The newest state, whose events may be on their way into the log. */
  latest: JobState;
  startedAt?: number;
  endedAt?: number;
  position?: string;
  progressVersion: number;
  publishedAt: number;
  pending: number;
  /** The state as of the last entry that waits for the log. */
  lastEntry: { after: JobState } | undefined;
  readonly previews: Map<string, GatewayPreview>;
}

/** How long to wait before an event that could not be stored is stored again. */
const againAfterMs = 1_000;

/** Makes an empty board over a log. */
export const jobBoard = (
  clock: Clock,
  index: JobIndex,
  log: EventLog,
  retentionMs: number,
  stopped: AbortSignal,
): JobBoard => {
  const cards = new Map<string, Card>();
  const lanes = new Map<string, Promise<void>>();
  const positions = new Map<string, string>();
  const news: JobBoard['news'] = new Subject();
  let previewCount = 0;

  /** Runs work of one owner in order, so that positions are published in the order of the log. */
  const inLane = (owner: string, work: () => Promise<void>): Promise<void> => {
    const done = (lanes.get(owner) ?? Promise.resolve()).then(work);
    lanes.set(owner, done);
    void done.finally(() => {
      if (lanes.get(owner) === done) lanes.delete(owner);
    });
    return done;
  };
  const pause = (): Promise<void> =>
    firstValueFrom(merge(timerOn(clock, againAfterMs, { background: true }), fromAbortSignal(stopped)), {
      defaultValue: undefined,
    });
  /** Stores events, as often as it takes: they are known only once they are durable. Gives the last one's position. */
  const store = async (card: Card, events: readonly LifecycleEvent[]): Promise<string | undefined> => {
    const { owner, id } = card.record;
    while (cards.get(id) === card) {
      try {
        return (await log.append(owner, id, events)).at(-1);
      } catch {
        if (stopped.aborted) return undefined;
        await pause();
      }
    }
    return undefined;
  };
  const publish = (card: Card, state: JobState): void => {
    card.state = state;
    card.progressVersion += 1;
    card.publishedAt = clock.wall();
    if (isTerminal(state.phase)) card.previews.clear();
    news.next({ owner: card.record.owner, jobId: card.record.id });
  };
  const append = (card: Card, events: readonly LifecycleEvent[]): Promise<void> => {
    const entry = { after: card.latest };
    card.lastEntry = entry;
    card.pending += 1;
    return inLane(card.record.owner, async () => {
      const last = await store(card, events);
      card.pending -= 1;
      // In one turn with the state: a snapshot has both or neither.
      if (last !== undefined) {
        positions.set(card.record.owner, last);
        card.position = last;
      }
      for (const event of events) notePhase(card, event);
      publish(card, entry.after);
      if (isTerminal(entry.after.phase) && card.record.ended === undefined) await end(card);
    });
  };
  const end = async (card: Card): Promise<void> => {
    const at = clock.wall();
    const change = { ended: { phase: card.state.phase as 'completed', at }, expiresAt: at + retentionMs };
    card.record = { ...card.record, ...change };
    // The log has the end already: without this the next start reads it from there.
    await index.update(card.record.id, change).catch(() => undefined);
  };

  const board: JobBoard = {
    get: (id) => cards.get(id),
    load: async (record) => {
      const { events } = await log.read({ owner: record.owner, jobId: record.id }, undefined, 1_000_000);
      const known = cards.get(record.id);
      if (known !== undefined) return known;
      const first = initialJobState({
        workflow: record.workflow,
        promptId: record.promptId,
        phase: record.ended?.phase,
      });
      const card = newCard(record, events.map(({ event }) => event).reduce(applyJobEvent, first));
      for (const { event } of events) notePhase(card, event);
      const last = events.at(-1)?.id;
      if (last !== undefined) card.position = last;
      cards.set(record.id, card);
      const isMissing = events.length === 0 && record.ended === undefined;
      if (isMissing) await append(card, [{ type: 'submitted', at: record.createdAt, state: card.state }]);
      return card;
    },
    open: async (record, state) => {
      const card = newCard(record, state);
      cards.set(record.id, card);
      await append(card, [{ type: 'submitted', at: clock.wall(), state }]);
      return card;
    },
    moved: (id, next) => {
      const card = cards.get(id);
      if (card === undefined || isTerminal(card.latest.phase)) return;
      const changes = changesBetween(card.latest, next, clock.wall());
      const lifecycle = changes.filter((event) => event.type !== 'progress');
      card.latest = next;
      if (lifecycle.length > 0) void append(card, lifecycle);
      else if (changes.length === 0) return;
      // Progress joins the event before it, which readers get first.
      else if (card.pending > 0 && card.lastEntry !== undefined) card.lastEntry.after = next;
      else publish(card, next);
    },
    pictured: (id, { image, mediaType, nodeId = '' }) => {
      const card = cards.get(id);
      if (card === undefined || isTerminal(card.latest.phase)) return;
      previewCount += 1;
      card.previews.set(nodeId, { id: String(previewCount), nodeId, mediaType, bytes: image });
      news.next({ owner: card.record.owner, jobId: id });
    },
    changed: (record) => {
      const card = cards.get(record.id);
      if (card !== undefined) card.record = record;
    },
    noted: async (id, event) => {
      const card = cards.get(id);
      if (card !== undefined) await append(card, [event]);
    },
    latest: (id) => cards.get(id)?.latest,
    remove: async ({ owner, id }) => {
      cards.delete(id);
      await log.expire(owner, id);
      news.next({ owner, jobId: id });
    },
    ready: (owner) =>
      inLane(owner, async () => {
        if (!positions.has(owner)) positions.set(owner, await log.position(owner));
      }),
    position: (owner) => positions.get(owner),
    ofOwner: (owner) => [...cards.values()].filter(({ record }) => record.owner === owner),
    news,
    settled: async () => {
      await Promise.all(lanes.values());
    },
  };
  return board;
};

const newCard = (record: JobRecord, state: JobState): Card => ({
  record,
  state,
  latest: state,
  progressVersion: 0,
  publishedAt: record.createdAt,
  pending: 0,
  lastEntry: undefined,
  previews: new Map(),
});

/** Takes the times of start and end: the service's own, or else when the gateway heard of them. */
const notePhase = (card: Card, event: LifecycleEvent): void => {
  const status =
    event.type === 'status' ? event.status : event.type === 'submitted' ? event.state : undefined;
  if (status === undefined) return;
  const { phase, startedAt, endedAt } = status;
  if (startedAt !== undefined) card.startedAt = startedAt;
  else if (phase === 'in_progress') card.startedAt ??= event.at;
  if (endedAt !== undefined) card.endedAt = endedAt;
  else if (isTerminal(phase)) card.endedAt ??= event.at;
};
