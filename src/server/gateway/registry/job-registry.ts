import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import { type JobEntry, type Card, entryOf, newCard, notePhase } from './job-entry.js';
import { changesBetween } from '../../../core/events/changes-between.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { JobPhase, JobState, TerminalPhase } from '../../../core/state/job-state.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import type { EventLog, LoggedEvent, LogScope } from '../../joblog/event-log.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';
import type { LifecycleEvent } from '../../../core/events/job-event.js';
import { othersEvents } from './others-events.js';
import { firstValueFrom, merge, Subject } from 'rxjs';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { timerOn } from '../../../core/platform/timer.js';

/** The current state of all jobs, and the order in which their events become known. */
export interface JobRegistry {
  readonly get: (id: string) => JobEntry | undefined;
  /** Loads a job that this process follows from its events, where it is not in the registry yet. */
  readonly load: (record: JobRecord) => Promise<JobEntry>;
  /** Puts up a new job; resolves once its first event is durable. */
  readonly open: (record: JobRecord, state: JobState) => Promise<JobEntry>;
  /** Takes a newer state of a job: its lifecycle events become durable, then known. */
  readonly moved: (id: string, state: JobState) => void;
  readonly pictured: (id: string, preview: Preview) => void;
  readonly changed: (record: JobRecord) => void;
  /** Adds an event that changes no state; resolves once it is durable. */
  readonly noted: (id: string, event: LifecycleEvent) => Promise<void>;
  /** The newest state, which may not be durable yet. */
  readonly latest: (id: string) => JobState | undefined;
  readonly remove: (record: JobRecord) => Promise<void>;
  /** Takes a job down that another process has removed. */
  readonly forget: (record: JobRecord) => void;
  /** Another process follows the job from now on. */
  readonly left: (id: string) => void;
  /** Takes what other processes have written into the owner's log; rejects where the log does not answer. */
  readonly caughtUp: (owner: string) => Promise<void>;
  /** Resolves once the owner's position is known. */
  readonly ready: (owner: string) => Promise<void>;
  /** Where the owner's log is, of what is published: the states are those of this position. */
  readonly position: (owner: string) => string | undefined;
  /** The jobs of all owners, the oldest first. */
  readonly all: () => readonly JobEntry[];
  /** The owner's jobs, the oldest first. */
  readonly ofOwner: (owner: string) => readonly JobEntry[];
  /** Emits with everything new about a job. */
  readonly news: Subject<{ readonly owner: string; readonly jobId: string }>;
  /** Resolves once all events so far are durable. */
  readonly settled: () => Promise<void>;
}

/** How long to wait before an event that could not be stored is stored again. */
const againAfterMs = 1_000;

/** Makes an empty registry over a log. */
export const jobRegistry = (
  clock: Clock,
  index: JobIndex,
  log: EventLog,
  retentionMs: number,
  stopped: AbortSignal,
): JobRegistry => {
  const cards = new Map<string, Card>();
  const lanes = new Map<string, Promise<void>>();
  const positions = new Map<string, string>();
  const news: JobRegistry['news'] = new Subject();
  let previewCount = 0;
  /** Of the progress of all jobs, which readers of all jobs know by it. */
  let version = 0;

  /** Runs work of one owner in order, so that positions are published in the order of the log. */
  const inLane = (owner: string, work: () => Promise<void>): Promise<void> => {
    const done = (lanes.get(owner) ?? Promise.resolve()).then(work, work);
    lanes.set(owner, done);
    const leave = (): void => {
      if (lanes.get(owner) === done) lanes.delete(owner);
    };
    done.then(leave, leave);
    return done;
  };
  const pause = (): Promise<void> =>
    firstValueFrom(merge(timerOn(clock, againAfterMs, { background: true }), fromAbortSignal(stopped)), {
      defaultValue: undefined,
    });
  /** Asks the log as often as it takes; undefined once the job is forgotten or the gateway stops. */
  const insist = async <Answer>(card: Card, ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    while (cards.get(card.record.id) === card) {
      try {
        return await ask();
      } catch {
        if (stopped.aborted) return undefined;
        await pause();
      }
    }
    return undefined;
  };
  /** Stores events: they are known only once they are durable, and after what other processes stored before. Gives the last one's position. */
  const store = async (card: Card, events: readonly LifecycleEvent[]): Promise<string | undefined> => {
    const { owner, id } = card.record;
    const ids = await insist(card, () => log.append(owner, id, events));
    if (log.changes !== undefined) await insist(card, () => others.read(owner, ids));
    return ids?.at(-1);
  };
  const publish = (card: Card, state: JobState): void => {
    card.state = state;
    version += 1;
    card.progressVersion = version;
    card.publishedAt = clock.wall();
    if (isTerminal(state.phase)) card.previews.clear();
    news.next({ owner: card.record.owner, jobId: card.record.id });
  };
  const append = (
    card: Card,
    events: readonly LifecycleEvent[],
    after: JobState | undefined,
  ): Promise<void> => {
    const entry = { after };
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
      publish(card, entry.after ?? card.state);
      if (isTerminal(card.state.phase) && card.record.ended === undefined) await end(card);
    });
  };
  const endOf = (phase: JobPhase, at: number) => ({
    ended: { phase: phase as TerminalPhase, at },
    expiresAt: at + retentionMs,
  });
  const end = async (card: Card): Promise<void> => {
    const change = endOf(card.state.phase, clock.wall());
    card.record = { ...card.record, ...change };
    // The log has the end already: without this the next start reads it from there.
    await index.update(card.record.id, change).catch(() => undefined);
  };

  const others = othersEvents(log, index, {
    position: (owner) => positions.get(owner),
    reached: (owner, position) => void positions.set(owner, position),
    put: (record, events) => {
      const known = cards.get(record.id);
      if (known?.isOwn === true) return;
      const card = entryOf(record, events);
      if (known === undefined) cards.set(record.id, card);
      else Object.assign(known, card, { pending: known.pending, lastEntry: known.lastEntry });
      news.next({ owner: record.owner, jobId: record.id });
    },
    take: async (owner, { id, jobId, event }) => {
      const record = cards.has(jobId) ? undefined : await index.get(jobId);
      if (record !== undefined) cards.set(jobId, newCard(record, initialJobState(record)));
      const card = cards.get(jobId);
      positions.set(owner, id);
      if (card === undefined) return;
      card.position = id;
      notePhase(card, event);
      if (event.type === 'cancelRequested') card.record = { cancelRequestedAt: event.at, ...card.record };
      // What ended stays as it is; of a job that it follows this process knows more.
      else if (!card.isOwn && !isTerminal(card.state.phase)) {
        card.latest = applyJobEvent(card.state, event);
        const { promptId, phase } = card.latest;
        if (promptId !== '') card.record = { promptId, ...card.record };
        if (isTerminal(phase)) card.record = { ...card.record, ...endOf(phase, event.at) };
      }
      // Without a new progress: the log has none.
      if (!card.isOwn) card.state = card.latest;
      news.next({ owner, jobId });
    },
  });
  /** What waits for its turn to read the log of an owner. */
  const reads = new Map<string, Promise<void>>();
  const caughtUp = (owner: string): Promise<void> => {
    const waiting = reads.get(owner);
    if (waiting !== undefined) return waiting;
    const read = inLane(owner, () => {
      reads.delete(owner);
      return others.read(owner);
    });
    reads.set(owner, read);
    return read;
  };

  const registry: JobRegistry = {
    get: (id) => cards.get(id),
    load: async (record) => {
      const events = await allEvents(log, { owner: record.owner, jobId: record.id });
      const known = cards.get(record.id);
      if (known !== undefined) {
        known.isOwn = true;
        return known;
      }
      const card = { ...entryOf(record, events), isOwn: true };
      cards.set(record.id, card);
      const isMissing = events.length === 0 && record.ended === undefined;
      if (isMissing)
        await append(card, [{ type: 'submitted', at: record.createdAt, state: card.state }], card.state);
      return card;
    },
    open: async (record, state) => {
      const card = { ...newCard(record, state), isOwn: true };
      cards.set(record.id, card);
      await append(card, [{ type: 'submitted', at: clock.wall(), state }], state);
      return card;
    },
    moved: (id, next) => {
      const card = cards.get(id);
      if (card === undefined || isTerminal(card.latest.phase)) return;
      const changes = changesBetween(card.latest, next, clock.wall());
      const lifecycle = changes.filter((event) => event.type !== 'progress');
      card.latest = next;
      if (lifecycle.length > 0) void append(card, lifecycle, next);
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
      if (card !== undefined) await append(card, [event], undefined);
    },
    latest: (id) => cards.get(id)?.latest,
    remove: async ({ owner, id }) => {
      cards.delete(id);
      await log.expire(owner, id);
      news.next({ owner, jobId: id });
    },
    forget: ({ owner, id }) => {
      cards.delete(id);
      news.next({ owner, jobId: id });
    },
    left: (id) => {
      const card = cards.get(id);
      if (card === undefined) return;
      card.isOwn = false;
      void inLane(card.record.owner, async () => insist(card, () => others.reload(card.record)));
    },
    caughtUp,
    ready: (owner) => inLane(owner, () => others.begin(owner)),
    position: (owner) => positions.get(owner),
    all: () => [...cards.values()],
    ofOwner: (owner) => [...cards.values()].filter(({ record }) => record.owner === owner),
    news,
    settled: async () => {
      await Promise.allSettled(lanes.values());
    },
  };
  return registry;
};

/** The events of a job from its beginning; where the first ones made room for others, one stands for all of them. */
const allEvents = async (log: EventLog, scope: LogScope): Promise<readonly LoggedEvent[]> => {
  const { events, rest } = await log.read(scope, undefined, 1_000_000);
  if (rest === undefined) return events;
  return [rest, ...(await log.read(scope, rest.id, 1_000_000)).events];
};
