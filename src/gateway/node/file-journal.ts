import { dirname } from 'node:path';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { parseExactJson, writeExactJson } from '../../protocol/json/exact-json.js';

/** How hard a journal tries to keep what it has taken. */
export interface JournalOptions {
  /**
   * Whether each write waits for the disk (`fdatasync`), one for all writes that are under way; default true. Without it what was
   * written survives the end of the process in any form, but not that of the machine.
   */
  readonly sync?: boolean | undefined;
}

/** A file of JSON lines that only grows, until it is written anew. */
export interface Journal {
  /** Resolves once the lines are durable. */
  readonly append: (values: readonly unknown[]) => Promise<void>;
  /** Writes a new file beside the old one and renames it into its place. */
  readonly compact: (values: Iterable<unknown>) => Promise<void>;
  /** The lines that the file has. */
  readonly lines: () => number;
  readonly close: () => Promise<void>;
}

/** Lines that are written together. */
interface Batch {
  readonly texts: string[];
  lines: number;
  readonly done: Promise<void>;
}

/**
 * Opens a journal, and reads every whole line of it; a last line without its line break was torn by a crash and is cut off.
 *
 * Throws for any other line that is no JSON, as the file is not the gateway's then.
 */
export const openJournal = async (
  path: string,
  read: (value: unknown) => void,
  { sync = true }: JournalOptions = {},
): Promise<Journal> => {
  let file = await open(path, 'a+', 0o600);
  let count = 0;
  let work: Promise<void> = Promise.resolve();
  /** What waits to be written together. */
  let batch: Batch | undefined;

  const bytes = await file.readFile();
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) await file.truncate(end);
  for (let at = 0; at < end;) {
    const next = bytes.indexOf(0x0a, at);
    read(parseExactJson(bytes.toString('utf8', at, next)));
    count += 1;
    at = next + 1;
  }

  const inOrder = <A>(task: () => Promise<A>): Promise<A> => {
    const done = work.then(task);
    work = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  };
  const write = async (text: string, lines: number): Promise<void> => {
    const { size } = await file.stat();
    try {
      await file.appendFile(text);
      if (sync) await file.datasync();
      count += lines;
    } catch (error) {
      // A half-written line must not stand before the next one.
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  };
  const newBatch = (): Batch => {
    const texts: string[] = [];
    const own: Batch = {
      texts,
      lines: 0,
      done: inOrder(() => {
        if (batch === own) batch = undefined;
        return write(texts.join(''), own.lines);
      }),
    };
    return own;
  };

  return {
    append: (values) => {
      // What comes while the disk is busy goes out together.
      batch ??= newBatch();
      batch.texts.push(...values.map((value) => `${writeExactJson(value)}\n`));
      batch.lines += values.length;
      return batch.done;
    },
    compact: (values) => {
      // What comes from now on is not among the values, so it has to be written after them.
      batch = undefined;
      return inOrder(async () => {
        const fresh = `${path}.new`;
        await rm(fresh, { force: true });
        const next = await open(fresh, 'a+', 0o600);
        let lines = 0;
        try {
          for (const value of values) {
            await next.appendFile(`${writeExactJson(value)}\n`);
            lines += 1;
          }
          if (sync) await next.datasync();
          await rename(fresh, path);
          if (sync) await syncFolder(dirname(path));
        } catch (error) {
          await next.close();
          throw error;
        }
        await close(file);
        file = next;
        count = lines;
      });
    },
    lines: () => count,
    close: () => inOrder(() => close(file)),
  };
};

/** Makes a renaming durable. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch {
    // Some systems can't, and need not.
  } finally {
    await folder.close();
  }
};

const close = (file: FileHandle): Promise<void> => file.close();
