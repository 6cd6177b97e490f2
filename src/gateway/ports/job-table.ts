import type { AddResult, JobRecord, JobRecordChange, RecordPage } from './job-index.js';
import { writeExactJson } from '../../protocol/json/exact-json.js';

/** How much an index keeps. */
export interface JobIndexLimits {
  /** Jobs; default 10 000. */
  readonly maxJobs?: number | undefined;
  /** Characters of all records as JSON, which are mostly workflows; default 128 Mi. */
  readonly maxSize?: number | undefined;
  /** Used keys whose job is forgotten; default 100 000, and the oldest make room. */
  readonly maxKeys?: number | undefined;
}

/** The use of an idempotency key. */
export interface KeyUse {
  readonly owner: string;
  readonly key: string;
  readonly jobId: string;
  readonly createdAt: number;
}

/** The jobs and keys of an index, in memory: what each index keeps, durable or not. */
export interface JobTable {
  readonly add: (record: JobRecord) => AddResult;
  readonly update: (id: string, change: JobRecordChange) => JobRecord | undefined;
  readonly get: (id: string) => JobRecord | undefined;
  readonly list: (owner: string | undefined, page: RecordPage) => readonly JobRecord[];
  /** With its key, which is free again. */
  readonly remove: (id: string) => void;
  /** Without its key, which stays used. */
  readonly forget: (id: string) => void;
  readonly expire: (now: number) => readonly JobRecord[];
  readonly count: () => number;
  /** The oldest first. */
  readonly records: () => Iterable<JobRecord>;
  readonly keys: () => Iterable<KeyUse>;
  /** Marks a key as used by a job that is forgotten. */
  readonly useKey: (use: KeyUse) => void;
}

const keyLifeMs = 24 * 60 * 60 * 1000;

/**
 * Makes an empty table of jobs.
 *
 * At its bounds the job that ended and was submitted first makes room, whose key stays used; a table full of jobs that have not ended
 * takes no more.
 */
export const jobTable = ({
  maxJobs = 10_000,
  maxSize = 128 * 1024 * 1024,
  maxKeys = 100_000,
}: JobIndexLimits = {}): JobTable => {
  const jobs = new Map<string, { record: JobRecord; readonly size: number }>();
  const owners = new Map<string, Set<string>>();
  const keys = new Map<string, KeyUse>();
  let size = 0;
  let orphans = 0;

  const drop = (id: string): void => {
    const known = jobs.get(id);
    if (known === undefined) return;
    jobs.delete(id);
    size -= known.size;
    const own = owners.get(known.record.owner);
    own?.delete(id);
    if (own?.size === 0) owners.delete(known.record.owner);
  };
  const forget = (id: string): void => {
    const key = jobs.get(id)?.record.key;
    drop(id);
    if (key !== undefined) orphans += 1;
    if (orphans > maxKeys) dropOrphan();
  };
  const dropOrphan = (): void => {
    for (const [name, { jobId }] of keys) {
      if (jobs.has(jobId)) continue;
      keys.delete(name);
      orphans -= 1;
      return;
    }
  };
  /** Makes room for a record; undefined where there is none to make. */
  const makeRoom = (needed: number): readonly JobRecord[] | undefined => {
    const evicted: JobRecord[] = [];
    let count = jobs.size + 1;
    let total = size + needed;
    if (count <= maxJobs && total <= maxSize) return evicted;
    for (const { record, size: own } of jobs.values()) {
      if (record.ended === undefined) continue;
      evicted.push(record);
      count -= 1;
      total -= own;
      if (count <= maxJobs && total <= maxSize) {
        for (const { id } of evicted) forget(id);
        return evicted;
      }
    }
    return undefined;
  };

  return {
    add: (record) => {
      const { id, owner, key, createdAt } = record;
      const used = key === undefined ? undefined : keys.get(keyName(owner, key));
      if (used !== undefined) {
        const existing = jobs.get(used.jobId)?.record;
        return { _tag: 'keyUsed', ...(existing && { existing }) };
      }
      const needed = writeExactJson(record).length;
      const evicted = makeRoom(needed);
      if (evicted === undefined) return { _tag: 'full' };
      jobs.set(id, { record, size: needed });
      size += needed;
      let own = owners.get(owner);
      if (own === undefined) owners.set(owner, (own = new Set()));
      own.add(id);
      if (key !== undefined) keys.set(keyName(owner, key), { owner, key, jobId: id, createdAt });
      return { _tag: 'added', evicted };
    },
    update: (id, change) => {
      const known = jobs.get(id);
      if (known === undefined) return undefined;
      known.record = { ...known.record, ...change };
      return known.record;
    },
    get: (id) => jobs.get(id)?.record,
    list: (owner, { after, limit }) => {
      const ids = owner === undefined ? [...jobs.keys()] : [...(owners.get(owner) ?? [])];
      ids.reverse();
      const start = after === undefined ? 0 : ids.indexOf(after) + 1;
      if (start === 0 && after !== undefined) return [];
      return ids
        .slice(start, start + limit)
        .map((id) => jobs.get(id)?.record)
        .filter((record) => record !== undefined);
    },
    remove: (id) => {
      const record = jobs.get(id)?.record;
      drop(id);
      if (record?.key !== undefined) keys.delete(keyName(record.owner, record.key));
    },
    forget,
    expire: (now) => {
      const expired = [...jobs.values()]
        .map(({ record }) => record)
        .filter(({ ended, expiresAt }) => ended !== undefined && expiresAt <= now);
      for (const { id } of expired) forget(id);
      for (const [name, { jobId, createdAt }] of keys) {
        if (createdAt + keyLifeMs > now || jobs.has(jobId)) continue;
        keys.delete(name);
        orphans -= 1;
      }
      return expired;
    },
    count: () => jobs.size,
    records: () => [...jobs.values()].map(({ record }) => record),
    keys: () => keys.values(),
    useKey: (use) => {
      const name = keyName(use.owner, use.key);
      if (keys.has(name)) return;
      keys.set(name, use);
      if (!jobs.has(use.jobId)) orphans += 1;
    },
  };
};

const keyName = (owner: string, key: string): string => JSON.stringify([owner, key]);
