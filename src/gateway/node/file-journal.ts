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
  /**
   * Writes a new file beside the old one and renames it into its place; the old one stays where that fails. It does nothing while another
   * one waits or runs: what was appended since comes after it. The values are those of the moment: they must not change later.
   */
  readonly compact: (values: Iterable<unknown>) => Promise<void>;
  /** Whether most lines are outdated where so many values are kept. */
  readonly isStale: (kept: number) => boolean;
  readonly close: () => Promise<void>;
}

/** With fewer lines than this a file is not written anew. */
const fewLines = 1_000;

/** A new file is written in pieces of about so many characters. */
const pieceSize = 1_000_000;

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
  /** After a failure a new file is not worth a try with fewer lines. */
  let leastLines = fewLines;
  let work: Promise<void> = Promise.resolve();
  /** What waits to be written together. */
  let batch: Batch | undefined;
  let compacting: Promise<void> | undefined;

  try {
    const bytes = await file.readFile();
    // A new file is durable once its folder has its name.
    if (sync && bytes.length === 0) await syncFolder(dirname(path));
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) await file.truncate(end);
    for (let at = 0; at < end;) {
      const next = bytes.indexOf(0x0a, at);
      read(parseExactJson(bytes.toString('utf8', at, next)));
      count += 1;
      at = next + 1;
    }
  } catch (error) {
    await close(file);
    throw error;
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
  const replace = async (values: Iterable<unknown>): Promise<void> => {
    const fresh = `${path}.new`;
    await rm(fresh, { force: true });
    const next = await open(fresh, 'a+', 0o600);
    let lines = 0;
    try {
      let piece = '';
      for (const value of values) {
        piece += `${writeExactJson(value)}\n`;
        lines += 1;
        if (piece.length < pieceSize) continue;
        await next.appendFile(piece);
        piece = '';
      }
      if (piece !== '') await next.appendFile(piece);
      if (sync) await next.datasync();
      await rename(fresh, path);
    } catch (error) {
      await close(next);
      await rm(fresh, { force: true });
      throw error;
    }
    const old = file;
    file = next;
    count = lines;
    leastLines = fewLines;
    if (sync) await syncFolder(dirname(path));
    await close(old);
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
      if (compacting !== undefined) return compacting;
      // What comes from now on is not among the values, so it has to be written after them.
      batch = undefined;
      const replaced = inOrder(() => replace(values));
      compacting = replaced.then(
        () => (compacting = undefined),
        // The lines are safe in the old file.
        () => {
          leastLines = count + fewLines;
          compacting = undefined;
        },
      );
      return compacting;
    },
    isStale: (kept) => count >= leastLines && count >= 4 * kept,
    close: () => inOrder(() => close(file)),
  };
};

/** Makes a renaming durable. */
const syncFolder = async (path: string): Promise<void> => {
  // Some systems can't, and need not.
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
};

const close = (file: FileHandle): Promise<void> => file.close();
