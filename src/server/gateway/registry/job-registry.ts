import { changesBetween } from '../../../core/events/changes-between.js';
import type { Clock } from '../../../core/platform/platform.js';
import { endOf, withProgress, withPublished, withStored } from './job-projection.js';
import { entryOf, type JobEntry, newEntry } from './job-entry.js';
import type { EventLog } from '../../joblog/event-log.js';
import { isTerminal, type JobState } from '../../../core/state/job-state.js';
import { type JobChange, type PendingWrite, trackedJobs } from './tracked-jobs.js';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';
import type { JobProgress, LifecycleEvent } from '../../../core/events/job-log-event.js';
import type { Observable } from 'rxjs';
import { othersEvents } from './others-events.js';
import { type RegistryContext, sharedRegistry } from './shared-registry.js';
import { type OwnerLogWriter, ownerLogWriter } from './owner-log-writer.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import { replay } from '../../joblog/replay.js';

/** What readers may know of the jobs. */
export interface PublishedJobs {
  readonly get: (id: string) => JobEntry | undefined;
  /** The owner's jobs, the oldest first. */
  readonly ofOwner: (owner: string) => readonly JobEntry[];
  /** Resolves once the owner's position is known. */
  readonly ready: (owner: string) => Promise<void>;
  /** The position in the owner's log that the published states belong to. */
  readonly position: (owner: string) => string | undefined;
  /** Emits with everything new about a job. */
  readonly changes: Observable<JobChange>;
}

/** The current state of all jobs, and the order in which their events become known. */
export interface JobRegistry extends PublishedJobs {
  /** Loads a job that this process follows from its events, where it is not in the registry yet. */
  readonly load: (record: JobRecord) => Promise<JobEntry>;
  /** Adds a new job; resolves once its first event is durable. */
  readonly open: (record: JobRecord, state: JobState) => Promise<JobEntry>;
  /** Adds a job whose events others store, and reads those stored so far; rejects where the log does not answer. */
  readonly watch: (record: JobRecord, state: JobState) => Promise<JobEntry>;
  /** Takes a newer state of a job: its lifecycle events become durable, then known. */
  readonly applyState: (id: string, state: JobState) => void;
  readonly setPreview: (id: string, preview: Preview) => void;
  /** Takes the latest progress of a job whose events others store. */
  readonly setProgress: (id: string, progress: JobProgress) => void;
  readonly setRecord: (record: JobRecord) => void;
  /** Announces a record that this process has added, until the returned function is called: an event may register its job before that. */
  readonly expect: (record: JobRecord) => () => void;
  /** Adds an event that changes no state; resolves once it is durable. */
  readonly append: (id: string, event: LifecycleEvent) => Promise<void>;
  /** The newest state, which may not be durable yet. */
  readonly latest: (id: string) => JobState | undefined;
  readonly remove: (record: JobRecord) => Promise<void>;
  /** Forgets a job that another process has removed. */
  readonly forget: (record: JobRecord) => void;
  /** Another process follows the job from now on. */
  readonly relinquish: (id: string) => void;
  /** Takes what other processes have written into the owner's log; rejects where the log does not answer. */
  readonly sync: (owner: string) => Promise<void>;
  /** The jobs of all owners, the oldest first. */
  readonly all: () => readonly JobEntry[];
  /** Resolves once all events so far are durable. */
  readonly settled: () => Promise<void>;
}

/** Makes an empty registry over a log. */
export const jobRegistry = (
  clock: Clock,
  index: JobIndex,
  log: EventLog,
  retentionMs: number,
  stopped: AbortSignal,
): JobRegistry => {
  const jobs = trackedJobs();
  const positions = new Map<string, string>();
  const writer = ownerLogWriter(clock, stopped);
  const added = new Map<string, JobRecord>();
  const context: RegistryContext = { clock, index, log, retentionMs, jobs, positions, added, writer };
  const others = othersEvents(log, index, sharedRegistry(context));
  const { append, publish } = appending(context, others.read);
  const entryBy = (id: string): JobEntry | undefined => jobs.get(id)?.entry;
  const sync = sharedReads(writer, others.read);

  return {
    get: entryBy,
    load: async (record) => {
      const { events } = await replay(log, { owner: record.owner, jobId: record.id });
      const known = jobs.get(record.id);
      if (known !== undefined) {
        jobs.set({ ...known, isOwn: true });
        return known.entry;
      }
      const entry = entryOf(record, events);
      const { state } = entry;
      jobs.set({ entry, latest: state, isOwn: true });
      if (events.length === 0 && record.ended === undefined)
        await append(record.id, [{ type: 'submitted', at: record.createdAt, state }], state);
      return entryBy(record.id) ?? entry;
    },
    open: async (record, state) => {
      const entry = newEntry(record, state);
      jobs.set({ entry, latest: state, isOwn: true });
      await append(record.id, [{ type: 'submitted', at: clock.wall(), state }], state);
      return entryBy(record.id) ?? entry;
    },
    watch: async (record, state) => {
      const entry = newEntry(record, state);
      if (jobs.get(record.id) === undefined) jobs.set({ entry, latest: state, isOwn: false });
      await sync(record.owner);
      return entryBy(record.id) ?? entry;
    },
    applyState: (id, next) => {
      const job = jobs.get(id);
      if (job === undefined || isTerminal(job.latest.phase)) return;
      const changes = changesBetween(job.latest, next, clock.wall());
      const lifecycle = changes.filter((event) => event.type !== 'progress');
      jobs.set({ ...job, latest: next });
      if (lifecycle.length > 0) void append(id, lifecycle, next);
      else if (changes.length === 0) return;
      // Progress joins the event before it, which readers get first.
      else if (job.write !== undefined) job.write.state = next;
      else publish(id, next);
    },
    ...unlogged(context, publish),
    expect: (record) => {
      added.set(record.id, record);
      return () => void added.delete(record.id);
    },
    setRecord: (record) => jobs.update(record.id, (entry) => ({ ...entry, record })),
    append: async (id, event) => {
      if (jobs.get(id) !== undefined) await append(id, [event], undefined);
    },
    latest: (id) => jobs.get(id)?.latest,
    remove: async ({ owner, id }) => {
      jobs.delete(id);
      await log.expire(owner, id);
      jobs.announce({ owner, jobId: id });
    },
    forget: ({ owner, id }) => {
      jobs.delete(id);
      jobs.announce({ owner, jobId: id });
    },
    relinquish: (id) => {
      const job = jobs.get(id);
      if (job === undefined) return;
      jobs.set({ ...job, isOwn: false });
      const { record } = job.entry;
      void writer.inOrder(record.owner, () =>
        writer.retryUntilStored(
          () => jobs.get(id) !== undefined,
          () => others.reload(record),
        ),
      );
    },
    sync,
    ready: (owner) => writer.inOrder(owner, () => others.begin(owner)),
    position: (owner) => positions.get(owner),
    all: jobs.entries,
    ofOwner: (owner) => jobs.entries().filter(({ record }) => record.owner === owner),
    changes: jobs.changes,
    settled: writer.settled,
  };
};

/** Takes what no log has: progress that others publish, and previews. */
const unlogged = (
  { clock, jobs }: Pick<RegistryContext, 'clock' | 'jobs'>,
  publish: (id: string, state: JobState) => void,
): Pick<JobRegistry, 'setPreview' | 'setProgress'> => {
  let previewCount = 0;
  return {
    setPreview: (id, { image, mediaType, nodeId = '' }) => {
      const job = jobs.get(id);
      if (job === undefined || isTerminal(job.latest.phase)) return;
      previewCount += 1;
      const preview = { id: String(previewCount), nodeId, mediaType, bytes: image };
      jobs.update(id, (entry) => ({ ...entry, previews: new Map([...entry.previews, [nodeId, preview]]) }));
      jobs.announce({ owner: job.entry.record.owner, jobId: id });
    },
    setProgress: (id, progress) => {
      const job = jobs.get(id);
      const state = job?.isOwn === false ? withProgress(job.entry, progress, clock.wall()) : undefined;
      if (job === undefined || state === undefined) return;
      jobs.set({ ...job, latest: state });
      publish(id, state);
    },
  };
};

/** Reads what other processes wrote, in the order of the owner's work; callers that ask while a read waits for its turn share that read. */
const sharedReads = (
  writer: OwnerLogWriter,
  readOthers: (owner: string) => Promise<void>,
): JobRegistry['sync'] => {
  const reads = new Map<string, Promise<void>>();
  return (owner) => {
    const waiting = reads.get(owner);
    if (waiting !== undefined) return waiting;
    const read = writer.inOrder(owner, () => {
      reads.delete(owner);
      return readOthers(owner);
    });
    reads.set(owner, read);
    return read;
  };
};

/** Stores events of jobs that this process follows, and publishes the states that they lead to. */
const appending = (
  { clock, index, log, retentionMs, jobs, positions, writer }: RegistryContext,
  readOthers: (owner: string, own?: readonly string[]) => Promise<void>,
) => {
  /** Counts the progress of all jobs: a reader knows by the number which progress it has. */
  let version = 0;

  const publish = (id: string, state: JobState): void => {
    version += 1;
    jobs.update(id, (entry) => withPublished(entry, state, version, clock.wall()));
  };
  const end = async (id: string): Promise<void> => {
    const entry = jobs.get(id)?.entry;
    if (entry === undefined || !isTerminal(entry.state.phase) || entry.record.ended !== undefined) return;
    const change = endOf(entry.state.phase, clock.wall(), retentionMs);
    jobs.update(id, (ended) => ({ ...ended, record: { ...ended.record, ...change } }));
    // The log has the end already: without this the next start reads it from there.
    await index.update(id, change).catch(() => undefined);
  };
  /** Stores events: they are known only once they are durable, and after what other processes stored before. Gives the last one's position. */
  const store = async (
    owner: string,
    id: string,
    events: readonly LifecycleEvent[],
  ): Promise<string | undefined> => {
    const isWanted = (): boolean => jobs.get(id) !== undefined;
    const ids = await writer.retryUntilStored(isWanted, () => log.append(owner, id, events));
    if (log.changes !== undefined) await writer.retryUntilStored(isWanted, () => readOthers(owner, ids));
    return ids?.at(-1);
  };
  const append = (
    id: string,
    events: readonly LifecycleEvent[],
    state: JobState | undefined,
  ): Promise<void> => {
    const job = jobs.get(id);
    if (job === undefined) return Promise.resolve();
    const { owner } = job.entry.record;
    const write: PendingWrite = { state };
    jobs.set({ ...job, write });
    return writer.inOrder(owner, async () => {
      const position = await store(owner, id, events);
      const now = jobs.get(id);
      // In one turn with the state: a snapshot has both or neither.
      if (position !== undefined) positions.set(owner, position);
      if (now !== undefined) {
        const entry = withStored(now.entry, events, position);
        jobs.set({ ...now, entry, write: now.write === write ? undefined : now.write });
        publish(id, write.state ?? entry.state);
      }
      jobs.announce({ owner, jobId: id });
      await end(id);
    });
  };
  return {
    append,
    publish: (id: string, state: JobState): void => {
      publish(id, state);
      const owner = jobs.get(id)?.entry.record.owner;
      if (owner !== undefined) jobs.announce({ owner, jobId: id });
    },
  };
};
