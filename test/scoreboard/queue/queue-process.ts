import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import { bundledFile } from '../../helpers/bundle-program.js';
import type { QueueProcessPlan } from './kill-points.js';

/** A worker or a producer in a process of its own. */
export interface QueueProcess {
  /** Resolves with the worker's id once it works; never where it ends before. */
  readonly ready: Promise<string>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Its exit code, or the signal that ended it, and what it wrote. */
  readonly ended: Promise<{ readonly end: number | string; readonly said: string }>;
}

/** A process that has loaded its program, and waits for a plan. */
interface LoadedProcess {
  readonly begin: (plan: QueueProcessPlan) => QueueProcess;
  readonly discard: () => Promise<unknown>;
}

const load = async (): Promise<LoadedProcess> => {
  const source = fileURLToPath(new URL('worker-program.ts', import.meta.url));
  const program = await bundledFile(source, { withPackages: true });
  const child: ChildProcess = fork(program, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--unhandled-rejections=strict'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit');
  return {
    begin: (plan) => {
      child.send(plan);
      return {
        ready: once(child, 'message').then(([worker]) => String(worker)),
        kill: (signal) => child.kill(signal),
        ended: ended.then(([code, signal]) => ({ end: (signal ?? code) as number | string, said })),
      };
    },
    discard: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
};

/** Starts a process of a queue. */
export const startQueueProcess = async (plan: QueueProcessPlan): Promise<QueueProcess> =>
  (await load()).begin(plan);

/** Processes that are started before they are needed. */
export interface SpareProcesses extends AsyncDisposable {
  readonly start: (plan: QueueProcessPlan) => Promise<QueueProcess>;
}

/** Keeps so many processes loaded. */
export const openSpares = (count: number): SpareProcesses => {
  const spares = Array.from({ length: count }, load);
  return {
    start: async (plan) => {
      spares.push(load());
      return (await spares.shift()!).begin(plan);
    },
    [Symbol.asyncDispose]: async () => {
      for (const spare of await Promise.all(spares)) await spare.discard();
    },
  };
};
