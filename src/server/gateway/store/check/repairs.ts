import { below, type KeyRange, keyOf, type Table } from '../keys.js';
import { type Entry, pagesOf, type View } from '../view.js';
import { readStored, storedText } from '../stored-value.js';

/** What a check does about what it finds. */
export interface Repairs {
  /** Says what is wrong. */
  readonly tell: (message: string) => void;
  /** Puts a value below a key. */
  readonly put: (key: string, value: unknown) => Promise<void>;
  /** Removes a key. */
  readonly remove: (key: string) => Promise<void>;
  /** Takes an entry that can't be read out of its table, and keeps it below `damaged`. */
  readonly setAside: (entry: Entry) => Promise<void>;
  /** Writes what waits to be written. */
  readonly flush: () => Promise<void>;
}

/** How many changes are written at once. */
const batchSize = 1_000;

/** Makes {@link Repairs} that `write` writes in batches; a text of undefined removes its key. */
export const repairsOf = (
  write: (changes: ReadonlyMap<string, string | undefined>) => Promise<void>,
  tell: (message: string) => void,
): Repairs => {
  let changes = new Map<string, string | undefined>();
  const flush = async (): Promise<void> => {
    const batch = changes;
    changes = new Map();
    if (batch.size > 0) await write(batch);
  };
  const set = async (key: string, text: string | undefined): Promise<void> => {
    changes.set(key, text);
    if (changes.size >= batchSize) await flush();
  };
  return {
    tell,
    put: (key, value) => set(key, storedText(key, value)),
    remove: (key) => set(key, undefined),
    setAside: async ([key, text]) => {
      await set(key, undefined);
      await set(keyOf('damaged', key), text);
    },
    flush,
  };
};

/** Reads all values of a range; reports those that can't be read, and leaves them out. */
export async function* valuesOf<Value>(
  view: View,
  repairs: Repairs,
  range: KeyRange,
  damaged?: (key: string) => void,
): AsyncGenerator<readonly [key: string, value: Value]> {
  for await (const page of pagesOf(view, range)) {
    for (const [key, text] of page) {
      const read = readStored(key, text);
      if (read !== undefined) {
        yield [key, read.value as Value];
        continue;
      }
      repairs.tell(`The entry ${key} can't be read.`);
      damaged?.(key);
      await repairs.setAside([key, text]);
    }
  }
}

/** Compares the keys of a table that leads to others with those that it should have, and makes it so. */
export const compareKeys = async (
  view: View,
  repairs: Repairs,
  table: Table,
  expected: ReadonlySet<string>,
): Promise<void> => {
  const missing = new Set(expected);
  let wrong = 0;
  for await (const page of pagesOf(view, below(table))) {
    for (const [key] of page) {
      if (missing.delete(key)) continue;
      wrong += 1;
      await repairs.remove(key);
    }
  }
  for (const key of missing) await repairs.put(key, null);
  if (wrong + missing.size === 0) return;
  repairs.tell(
    `The list ${table} had ${wrong} wrong entries and lacked ${missing.size}: they follow from others.`,
  );
};

/** Compares a value that follows from others with what it should be, and makes it so; `absent` is what it may be where it is not there. */
export const compareValue = async (
  view: View,
  repairs: Repairs,
  key: string,
  expected: unknown,
  absent?: unknown,
): Promise<void> => {
  const [text] = await view.texts([key]);
  const should = storedText(key, expected);
  if ((text ?? storedText(key, absent ?? null)) === should) return;
  await repairs.put(key, expected);
  repairs.tell(`The value ${key} was ${text === undefined ? 'missing' : 'wrong'}: it follows from others.`);
};
