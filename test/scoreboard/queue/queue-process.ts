import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import { bundledFile } from '../../helpers/bundle-program.js';
import type { QueueProcessPlan } from './kill-points.js';

/** A worker or a producer in a process of its own. */
export interface QueueProcess {
  /** Resolves once it works; never where it ends before. */
  readonly ready: Promise<unknown>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Its exit code, or the signal that ended it, and what it wrote. */
  readonly ended: Promise<{ readonly end: number | string; readonly said: string }>;
}

/** Starts a process of a queue. */
export const startQueueProcess = async (plan: QueueProcessPlan): Promise<QueueProcess> => {
  const program = await bundledFile(fileURLToPath(new URL('worker-program.ts', import.meta.url)));
  const child: ChildProcess = fork(program, [JSON.stringify(plan)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--unhandled-rejections=strict'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  return {
    ready: once(child, 'message'),
    kill: (signal) => child.kill(signal),
    ended: once(child, 'exit').then(([code, signal]) => ({ end: (signal ?? code) as number | string, said })),
  };
};
