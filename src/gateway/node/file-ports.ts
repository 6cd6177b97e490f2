import type { AssetIndex } from '../ports/asset-index.js';
import type { AssetIndexLimits } from '../ports/asset-table.js';
import type { EventLog } from '../ports/event-log.js';
import {
  type EventEntry,
  type EventLogLimits,
  type EventTable,
  eventTable,
  type JobLoss,
  type LogHead,
} from '../ports/event-table.js';
import type { JobIndex, JobRecord, JobRecordChange } from '../ports/job-index.js';
import { type JobIndexLimits, jobTable, type KeyUse } from '../ports/job-table.js';
import { fileAssetIndex } from './file-asset-index.js';
import { fileWebhookStore } from './file-webhook-store.js';
import { join } from 'node:path';
import { type JournalOptions, openJournal } from './file-journal.js';
import { lockFolder } from './folder-lock.js';
import { newEpoch } from '../ports/memory-event-log.js';
import { realClock } from '../../platform/clock.js';
import type { WebhookStore } from '../ports/webhook-store.js';
import { readJobEvent } from '../../events/read-job-event.js';

/** Options of {@link filePorts}. */
export interface FilePortsOptions extends JournalOptions, JobIndexLimits, EventLogLimits, AssetIndexLimits {
  /** The clock by which assets expire, in milliseconds since 1970; default the machine's. */
  readonly now?: (() => number) | undefined;
}

/** Ports that keep jobs, events and assets in files. */
export interface FilePorts {
  /** Which jobs there are, and whose they are. */
  readonly index: JobIndex;
  /** What became of them. */
  readonly log: EventLog;
  /** Which files callers uploaded. */
  readonly assets: AssetIndex;
  /** The webhooks of callers, with their secrets, and what they have been sent. */
  readonly webhookStore: WebhookStore;
  /** Closes the files and gives the folder back, as `close` of each port does. */
  readonly close: () => Promise<void>;
}

/**
 * Keeps jobs, keys, events, assets and webhooks in four files of a folder, which one process has for itself: they survive its end in any form.
 *
 * The files only grow, and are written anew once most of their lines are outdated; the new file replaces the old one in one step.
 * `sync` (default) has each change wait for the disk, so that it survives a power cut as well. Everything is in memory, too, with the
 * bounds of the ports in memory. Rejects where another process has the folder.
 */
export const filePorts = async (folder: string, options: FilePortsOptions = {}): Promise<FilePorts> => {
  const lock = await lockFolder(folder);
  /** What is open, the last first. */
  const opened: (() => Promise<void>)[] = [lock.release];
  const closeAll = async (): Promise<void> => {
    for (const closeOne of opened) await closeOne();
  };
  const opening = async <Port extends { readonly close?: () => Promise<void> }>(
    open: Promise<Port>,
  ): Promise<Port> => {
    const port = await open;
    if (port.close !== undefined) opened.unshift(port.close);
    return port;
  };
  try {
    const at = (name: string): string => join(folder, name);
    const { now = realClock.wall } = options;
    const index = await opening(fileJobIndex(at('jobs.jsonl'), options));
    const log = await opening(fileEventLog(at('events.jsonl'), options));
    const assets = await opening(fileAssetIndex(at('assets.jsonl'), now, options));
    const webhookStore = await opening(fileWebhookStore(at('webhooks.jsonl'), options));
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= closeAll());
    return {
      index: { ...index, close },
      log: { ...log, close },
      assets: { ...assets, close },
      webhookStore: { ...webhookStore, close },
      close,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
};

type JobLine =
  | { readonly add: JobRecord }
  | { readonly id: string; readonly change: JobRecordChange }
  | { readonly remove: string }
  | { readonly forget: readonly string[] }
  | { readonly key: KeyUse };

const fileJobIndex = async (path: string, options: FilePortsOptions): Promise<JobIndex> => {
  const table = jobTable(options);
  const journal = await openJournal(
    path,
    (value) => {
      const line = value as JobLine;
      if ('add' in line) table.add(line.add);
      else if ('change' in line) table.update(line.id, line.change);
      else if ('remove' in line) table.remove(line.remove);
      else if ('forget' in line) line.forget.forEach(table.forget);
      else table.useKey(line.key);
    },
    options,
  );
  const write = async (line: JobLine): Promise<void> => {
    await journal.append([line]);
    if (!journal.isStale(table.count())) return;
    const records = [...table.records()];
    const orphans = [...table.keys()].filter(({ jobId }) => table.get(jobId) === undefined);
    await journal.compact(linesOf(records, orphans));
  };
  return {
    add: async (record) => {
      const result = table.add(record);
      if (result._tag !== 'added') return result;
      try {
        await write({ add: record });
      } catch (error) {
        table.remove(record.id);
        throw error;
      }
      return result;
    },
    update: async (id, change) => {
      // It is true of the job also where it can't be written: the file gets it when it is written anew.
      if (table.update(id, change) !== undefined) await write({ id, change });
    },
    get: (id) => Promise.resolve(table.get(id)),
    list: (owner, page) => Promise.resolve(table.list(owner, page)),
    remove: async (id) => {
      const record = table.get(id);
      table.remove(id);
      try {
        await write({ remove: id });
      } catch (error) {
        if (record !== undefined) table.add(record);
        throw error;
      }
    },
    expire: async (now) => {
      const expired = table.expire(now);
      // What can't be written is forgotten again after the next start.
      if (expired.length > 0) await write({ forget: expired.map(({ id }) => id) }).catch(() => undefined);
      return expired;
    },
    close: journal.close,
  };
};

function* linesOf(records: readonly JobRecord[], orphans: readonly KeyUse[]): Generator<JobLine> {
  for (const add of records) yield { add };
  for (const key of orphans) yield { key };
}

type EventLine =
  | { readonly entries: readonly EventEntry[] }
  | { readonly head: LogHead }
  | { readonly lost: JobLoss }
  | { readonly expire: readonly [owner: string, jobId: string] };

const fileEventLog = async (path: string, options: FilePortsOptions): Promise<EventLog> => {
  const table = eventTable(newEpoch, options);
  const journal = await openJournal(
    path,
    (value) => {
      const line = value as EventLine;
      if ('head' in line) table.restoreHead(line.head);
      else if ('lost' in line) table.restoreLoss(line.lost);
      else if ('expire' in line) table.expire(...line.expire);
      else for (const entry of line.entries) table.restore({ ...entry, event: readJobEvent(entry.event) });
    },
    options,
  );
  const known = new Set([...table.heads()].map(({ owner }) => owner));
  const write = async (lines: readonly EventLine[]): Promise<void> => {
    await journal.append(lines);
    if (journal.isStale(table.size())) await journal.compact([...eventLinesOf(table)]);
  };
  const headOf = (owner: string): readonly EventLine[] => {
    if (known.has(owner)) return [];
    return [...table.heads()]
      .filter((head) => head.owner === owner)
      .map((head) => ({ head: { ...head, last: 0 } }));
  };
  return {
    append: async (owner, jobId, events) => {
      const entries = table.append(owner, jobId, events);
      try {
        await write([...headOf(owner), { entries }]);
      } catch (error) {
        table.retract(entries);
        throw error;
      }
      known.add(owner);
      return entries.map(({ id }) => id);
    },
    read: (scope, after, limit) => Promise.resolve(table.read(scope, after, limit)),
    position: async (owner) => {
      const position = table.position(owner);
      const head = headOf(owner);
      if (head.length > 0) await write(head);
      known.add(owner);
      return position;
    },
    expire: async (owner, jobId) => {
      table.expire(owner, jobId);
      await write([{ expire: [owner, jobId] }]);
    },
    close: journal.close,
  };
};

function* eventLinesOf(table: EventTable): Generator<EventLine> {
  for (const head of table.heads()) yield { head };
  for (const lost of table.losses()) yield { lost };
  const entries = [...table.entries()].sort((one, other) => one.number - other.number);
  for (const entry of entries) yield { entries: [entry] };
}
