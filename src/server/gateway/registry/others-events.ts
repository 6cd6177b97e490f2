import type { EventLog, LoggedEvent } from '../../joblog/event-log.js';
import { replay } from '../../joblog/replay.js';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';

/** A registry in which which the jobs of other processes stand as well. */
export interface SharedRegistry {
  /** Where the owner's log is, of what stands in the registry. */
  readonly position: (owner: string) => string | undefined;
  /** Everything of the owner's log up to here stands in the registry. */
  readonly reached: (owner: string, position: string) => void;
  /** Puts up a job of another process, or sets it to what its events say. */
  readonly put: (record: JobRecord, events: readonly LoggedEvent[]) => void;
  /** Takes one event of another process, and its position in the same turn. */
  readonly take: (owner: string, event: LoggedEvent) => Promise<void>;
}

/** Reads what other processes write into a log. */
export interface OthersEvents {
  /** Takes the owner's position, where it is not known yet, and the jobs that there are. */
  readonly begin: (owner: string) => Promise<void>;
  /** Takes the events of other processes after the owner's position: all of them, or those before this process's own. */
  readonly read: (owner: string, own?: readonly string[]) => Promise<void>;
  /** Sets a job to what the log says, up to the owner's position. */
  readonly reload: (record: JobRecord) => Promise<void>;
}

const pageSize = 200;
const all = Number.MAX_SAFE_INTEGER;

/** Makes the {@link OthersEvents} of a registry; a log that one process has alone holds no others. */
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
