import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { bundledFile } from '../../helpers/bundle-program.js';
import { createInterface } from 'node:readline';
import { filter, firstValueFrom, fromEvent, map, ReplaySubject, scan, takeUntil } from 'rxjs';
import { join } from 'node:path';

/** A program over a folder, which `folder-child.ts` is. */
export interface FolderChild {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything that it has said, a line each. */
  readonly lines: readonly string[];
  /** Resolves with the lines that are as asked once there are so many; rejects where it ends before. */
  readonly said: (what: RegExp, count?: number) => Promise<readonly string[]>;
  /** Resolves once it has ended and all that it said is known. */
  readonly ended: Promise<void>;
}

/** Starts `folder-child.ts` with arguments, by another program where there is one before it. */
export const startChild = async (
  args: readonly string[],
  before: readonly string[] = [],
): Promise<FolderChild> => {
  const file = await bundledFile(join(import.meta.dirname, 'folder-child.ts'));
  const [program = '', ...rest] = [...before, process.execPath, file, ...args];
  const child = spawn(program, rest, { stdio: 'pipe' });
  const lines: string[] = [];
  const said = new ReplaySubject<string>(Infinity);
  const reader = createInterface(child.stdout);
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ended = firstValueFrom(fromEvent(child, 'close').pipe(map(() => undefined)));
  fromEvent(reader, 'line', (line: string) => line)
    .pipe(takeUntil(ended.then(() => undefined)))
    .subscribe({
      next: (line) => {
        lines.push(line);
        said.next(line);
      },
      error: (error: unknown) => said.error(error),
      complete: () => said.error(new Error(`It ended: ${errors.join('')}`)),
    });
  return {
    ...{ child, lines, ended },
    said: (what, count = 1) =>
      firstValueFrom(
        said.pipe(
          filter((line) => what.test(line)),
          scan((all: readonly string[], line) => [...all, line], []),
          filter((all) => all.length >= count),
        ),
      ),
  };
};
