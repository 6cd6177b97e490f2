import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';

/** One run of the program `ffmpeg`, in a folder of its own that is removed afterwards. */
export interface FfmpegTask<Made extends string = string> {
  /** What the folder holds before; the emulator chooses the names. */
  readonly reads: Readonly<Record<string, Uint8Array>>;
  /** Which of these files it reads, and how. */
  readonly from: readonly string[];
  /** The files that it makes there, and how. */
  readonly makes: Readonly<Record<Made, readonly string[]>>;
}

/** Runs the program and resolves with the files that it made; rejects with an {@link FfmpegError}. */
export type RunFfmpeg = <Made extends string>(
  task: FfmpegTask<Made>,
  signal?: AbortSignal,
) => Promise<Readonly<Record<Made, Uint8Array>>>;

/** The program `ffmpeg`, which has the codecs that the emulator lacks. */
export interface Ffmpeg {
  readonly run: RunFfmpeg;
  /** Kills what runs, and resolves once nothing of it is left. Later runs reject. */
  readonly close: () => Promise<void>;
}

/** Why a run made nothing. */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
  readonly reason: 'missing' | 'failed' | 'too slow' | 'too large';

  constructor(reason: FfmpegError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Makes the runner of a program: a path, a name to be found on PATH, or false for none.
 *
 * A run gets no shell, no input from the terminal, no environment but where programs and their libraries are, 60 seconds,
 * and 128 MiB for each file that it makes. It opens files of its folder only, and none of the formats that name others.
 */
export const createFfmpeg = (program: string | false = 'ffmpeg', maxMs = 60_000): Ffmpeg => {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const inFolder = async <Made extends string>(
    task: FfmpegTask<Made>,
    signals: readonly AbortSignal[],
  ): Promise<Readonly<Record<Made, Uint8Array>>> => {
    if (program === false) throw new FfmpegError('missing', 'the option ffmpeg is false');
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-ffmpeg-'));
    try {
      for (const [name, bytes] of Object.entries(task.reads)) await writeFile(join(folder, name), bytes);
      await end(program, argumentsOf(task), { folder, maxMs, signal: AbortSignal.any([...signals]) });
      const made = Object.keys(task.makes).map(
        async (name) => [name, await bounded(join(folder, name))] as const,
      );
      return Object.fromEntries(await Promise.all(made)) as Record<Made, Uint8Array>;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  return {
    run: async (task, signal) => {
      const run = inFolder(task, signal === undefined ? [closing.signal] : [closing.signal, signal]);
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    close: async () => {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
};

const maxBytes = 2 ** 27;

const argumentsOf = ({ from, makes }: FfmpegTask): readonly string[] => [
  ...['-hide_banner', '-nostdin', '-v', 'error', '-y', ...from],
  // Without the marks of a version and of chance: the same graph makes the same bytes.
  ...Object.entries(makes).flatMap(([file, how]) => [
    ...[...how, '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
    ...['-fs', String(maxBytes + 1), file],
  ]),
];

const bounded = async (path: string): Promise<Uint8Array> => {
  const { size } = await stat(path);
  if (size > maxBytes) throw new FfmpegError('too large', `a file of more than ${maxBytes} bytes`);
  return new Uint8Array(await readFile(path));
};

interface Bounds {
  readonly folder: string;
  readonly maxMs: number;
  readonly signal: AbortSignal;
}

/** Resolves once the program has ended well and its streams are closed. */
const end = (program: string, args: readonly string[], bounds: Bounds): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...{ cwd: bounds.folder, env: placesOfPrograms(), stdio: ['ignore', 'ignore', 'pipe'] },
      ...{ signal: bounds.signal, timeout: bounds.maxMs, killSignal: 'SIGKILL', windowsHide: true },
    });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-maxWords);
    });
    let failure: FfmpegError | undefined;
    child.on('error', (error) => {
      const isMissing = 'code' in error && missing.has(error.code);
      failure = new FfmpegError(isMissing ? 'missing' : 'failed', error.message);
      // One that has not begun closes nothing.
      if (child.pid === undefined) reject(failure);
    });
    child.on('close', (code, signal) => {
      if (failure !== undefined) reject(failure);
      else if (code === 0) resolve();
      else if (signal === null) reject(new FfmpegError('failed', lastLine(words)));
      else reject(new FfmpegError('too slow', `ffmpeg took more than ${bounds.maxMs / 1000} s`));
    });
  });

const missing: ReadonlySet<unknown> = new Set(['ENOENT', 'EACCES', 'ENOTDIR']);

const maxWords = 4_096;

const lastLine = (words: string): string => words.trimEnd().split('\n').at(-1) ?? '';

/** Where programs and their libraries are found; the process's other variables may be secrets. */
const placesOfPrograms = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['PATH', 'Path', 'SystemRoot', 'TEMP', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
