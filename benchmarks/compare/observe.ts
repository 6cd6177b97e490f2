import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Emulator } from '../../src/emulator.js';
import type { Said, Task } from './child.js';

/** How a client's run of one job went, seen from outside of its process. */
export interface Observed {
  readonly end: 'resolved' | 'rejected' | 'crashed' | 'hung';
  /** What it resolved or rejected with. */
  readonly value: string;
  /** Media types of the previews that it told of. */
  readonly previews: readonly string[];
}

/** What happens at the service while the client runs. */
export interface Stage {
  readonly emulator: Emulator;
  /** Resolves once a job was accepted. */
  readonly accepted: () => Promise<string>;
}

/** A client that has no end after so long hangs: each job here takes a second at most. */
export const patienceMs = 15_000;

/**
 * Runs one client in a process of its own, and `meanwhile` at the service; the process is killed at the end.
 *
 * A process that ends by itself without a word has crashed.
 */
export const observe = async (
  emulator: Emulator,
  task: Omit<Task, 'baseUrl'>,
  meanwhile: (stage: Stage) => Promise<void>,
): Promise<Observed> => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('child.ts', import.meta.url))],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const previews: string[] = [];
  const end = new Promise<Pick<Observed, 'end' | 'value'>>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const said = parse(line);
      if (said?.what === 'preview') previews.push(said.type);
      if (said?.what === 'resolved' || said?.what === 'rejected')
        resolve({ end: said.what, value: said.value });
    });
    child.once('exit', () => resolve({ end: 'crashed', value: '' }));
  });
  child.stdin.end(JSON.stringify({ ...task, baseUrl: emulator.baseUrl } satisfies Task));
  const accepted = async (): Promise<string> => {
    for (;;) {
      const job = emulator.ledger.jobs[0];
      if (job !== undefined) return job.promptId;
      await delay(10);
    }
  };
  const events = meanwhile({ emulator, accepted });
  const over = new AbortController();
  const patience = delay(patienceMs, { end: 'hung', value: '' } as const, { signal: over.signal });
  patience.catch(() => undefined);
  const outcome = await Promise.race([end, patience]);
  // What happens at the service goes on to its end, also after a client that gave up at once.
  if (outcome.end !== 'hung') await Promise.race([events, patience]);
  over.abort();
  child.kill('SIGKILL');
  return { ...outcome, previews };
};

/** Peers print lines of their own. */
const parse = (line: string): Said | undefined => {
  try {
    return JSON.parse(line) as Said;
  } catch {
    return undefined;
  }
};
