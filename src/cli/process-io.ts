import process from 'node:process';
import { fromEvent, map, merge } from 'rxjs';
import type { CliIo, StopSignal } from './cli-io.js';
import { exitCodes } from './exit-code.js';

/** The real process. A second signal ends it at once; on every way out the terminal has its cursor again. */
export const processIo = (): CliIo => {
  const { stdin, stdout, stderr, env } = process;
  const names: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const signals = merge(...names.map((name) => fromEvent(process, name).pipe(map(() => name))));

  let stopping = false;
  for (const name of names) {
    process.on(name, () => {
      if (stopping) process.exit(exitCodes[name].code);
      stopping = true;
    });
  }
  // Whoever read our output may go away at any time; what a broken pipe means is decided where it matters.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  if (stderr.isTTY) process.on('exit', () => stderr.write('\u001B[?25h'));

  return {
    stdin,
    stdout,
    stderr,
    env,
    isTTY: stderr.isTTY,
    columns: () => stderr.columns || 80,
    rows: () => stderr.rows || 24,
    uptimeMs: () => performance.now(),
    signals,
  };
};
