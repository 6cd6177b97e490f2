import type { AbstractLevel } from 'abstract-level';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { type Change, changeOf } from './change.js';
import type { Page, View } from './view.js';

/** A database of texts: `memory-level`, or `classic-level` in a folder. */
export type Level = AbstractLevel<string | Uint8Array>;

/** What the ports of a gateway keep their values in. */
export interface Store {
  /** Reads what is written, all of it as of one moment. */
  readonly read: <Answer>(work: (view: View) => Promise<Answer>) => Promise<Answer>;
  /**
   * Changes what is written, all of it or nothing, and gives the answer once the change is durable. Changes come one after the other, and
   * each sees those before it. Those that come while the disk is busy are written together.
   */
  readonly change: <Answer>(work: (change: Change) => Promise<Answer>) => Promise<Answer>;
  /** Waits for the changes so far, and closes the database. */
  readonly close: () => Promise<void>;
}

/** How a store writes, and what it does with what it can't read. */
export interface StoreOptions {
  /** Whether each write waits for the disk; default false. */
  readonly sync?: boolean;
  /** Gets the key of each value that can't be read. */
  readonly damaged?: (key: string) => void;
  /** Prepares the database for a write after one that failed. */
  readonly recover?: () => Promise<void>;
  /** Makes an error for callers of one that the database rejects with; default it is the same. */
  readonly toError?: (error: unknown) => unknown;
}

/** A change that waits to be written. */
interface Waiting {
  /** Makes the change upon those before it; gives what to do once it is written. */
  readonly make: (group: Change) => Promise<() => void>;
  readonly reject: (reason: unknown) => void;
}

/** The most changes that are written together. */
const maxGroup = 500;

/** Makes a {@link Store} over a database, which it closes with itself. */
export const storeOf = (
  level: Level,
  { sync = false, damaged, recover, toError = (error) => error }: StoreOptions = {},
): Store => {
  const waiting: Waiting[] = [];
  const isWriting = new BehaviorSubject(false);
  let hasFailed = false;
  /** Settles once the database can be used, also while it is being reopened. */
  let ready: Promise<void> = level.open();
  ready.catch(() => undefined);
  const tell = (key: string): void => damaged?.(key);

  const written = viewOf(level, tell);
  const write = async (changes: Change['changes']): Promise<void> => {
    if (changes.size === 0) return;
    if (hasFailed && recover !== undefined) {
      ready = recover();
      await ready;
    }
    hasFailed = true;
    await writeTo(level, changes, sync);
    hasFailed = false;
  };
  const writeGroup = async (group: readonly Waiting[]): Promise<void> => {
    const all = changeOf(written);
    const done: (() => void)[] = [];
    const kept: Waiting[] = [];
    for (const one of group) {
      try {
        done.push(await one.make(all));
        kept.push(one);
      } catch (error) {
        one.reject(toError(error));
      }
    }
    try {
      await write(all.changes);
      for (const tellDone of done) tellDone();
    } catch (error) {
      for (const { reject } of kept) reject(toError(error));
    }
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) await writeGroup(waiting.splice(0, maxGroup));
    isWriting.next(false);
  };

  return {
    read: async (work) => {
      // A database that could not be reopened for writes may still be read.
      await ready.catch(() => undefined);
      try {
        const snapshot = level.snapshot();
        try {
          return await work(viewOf(level, tell, snapshot));
        } finally {
          await snapshot.close();
        }
      } catch (error) {
        throw toError(error);
      }
    },
    change: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({
          make: async (group) => {
            const own = changeOf(group);
            const answer = await work(own);
            group.take(own.changes);
            return () => resolve(answer);
          },
          reject,
        });
        if (isWriting.value) return;
        isWriting.next(true);
        void Promise.resolve().then(writeAll);
      }),
    close: async () => {
      await firstValueFrom(isWriting.pipe(filter((is) => !is)), { defaultValue: false });
      await level.close();
    },
  };
};

type Snapshot = ReturnType<Level['snapshot']>;

/** What a database holds, at the moment of a snapshot or now. */
export const viewOf = (level: Level, damaged: (key: string) => void, snapshot?: Snapshot): View => {
  const options = snapshot === undefined ? {} : { snapshot };
  return {
    texts: (keys) => level.getMany([...keys], options),
    page: ({ limit, ...range }: Page) => level.iterator({ ...range, ...options, limit }).all(),
    damaged,
  };
};

/** Writes changes to a database, all or none of them. */
export const writeTo = (level: Level, changes: Change['changes'], sync: boolean): Promise<void> => {
  const operations = [...changes].map(([key, value]) =>
    value === undefined ? { type: 'del' as const, key } : { type: 'put' as const, key, value },
  );
  // An option of classic-level, which memory-level has no use for.
  return level.batch(operations, { sync } as object);
};
