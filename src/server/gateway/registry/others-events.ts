import type { EventLog, LoggedEvent } from '../../joblog/event-log.js';
import { replay } from '../../joblog/replay.js';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';

/** A registry that has the jobs of other processes as well. */
export interface SharedRegistry {
  /** The position in the owner's log that the registry has reached. */
  readonly position: (owner: string) => string | undefined;
  /** The registry has everything of the owner's log up to this position. */
  readonly reached: (owner: string, position: string) => void;
  /** Registers a job of another process, or sets it to what its events say. */
  readonly put: (record: JobRecord, events: readonly LoggedEvent[]) => void;
  /** Takes one event of another process, and its position in the same turn. */
  readonly take: (owner: string, event: LoggedEvent) => Promise<void>;
}

/** Reads what other processes write into a log. */
export interface OthersEvents {
  /** Reads the owner's position and jobs, unless the position is known already. */
  readonly begin: (owner: string) => Promise<void>;
  /** Takes the events of other processes after the owner's position: all of them, or those before this process's own. */
  readonly read: (owner: string, own?: readonly string[]) => Promise<void>;
  /** Sets a job to what the log says, up to the owner's position. */
  readonly reload: (record: JobRecord) => Promise<void>;
}

const pageSize = 200;
const all = Number.MAX_SAFE_INTEGER;

/** Makes the {@link OthersEvents} of a registry; a log that one process has to itself has no events of others. */
export const othersEvents = (log: EventLog, index: JobIndex, registry: SharedRegistry): OthersEvents => {
  const isShared = log.changes !== undefined;

  const eventsTo = async ({ owner, id: jobId }: JobRecord, position: string) =>
    (await replay(log, { owner, jobId }, position)).events;
  const putAll = async (owner: string, position: string): Promise<void> => {
    const records = await index.list(owner, { limit: all });
    for (const record of records.toReversed()) {
      const events = await eventsTo(record, position);
      // Without an event its submission has no answer yet.
      if (events.length > 0 || record.ended !== undefined) registry.put(record, events);
    }
  };
  const start = async (owner: string): Promise<void> => {
    const position = await log.position(owner);
    if (isShared) await putAll(owner, position);
    registry.reached(owner, position);
  };
  const begin: OthersEvents['begin'] = async (owner) => {
    if (registry.position(owner) === undefined) await start(owner);
  };

  return {
    begin,
    reload: async (record) => {
      const position = registry.position(record.owner);
      if (position !== undefined) registry.put(record, await eventsTo(record, position));
    },
    read: async (owner, own = []) => {
      if (!isShared) return;
      await begin(owner);
      for (;;) {
        const page = await log.read({ owner }, registry.position(owner), pageSize);
        if (page.gap) {
          await start(owner);
          return;
        }
        for (const event of page.events) {
          if (own.includes(event.id)) return;
          await registry.take(owner, event);
        }
        if (page.events.length < pageSize) return;
      }
    },
  };
};
