import type { Clock } from '../../../core/platform/platform.js';
import type { JobStore } from '../store/job-store.js';
import type { RunContext } from './run-context.js';
import { runHeldJob } from './run-held-job.js';
import { pauseUnless, WorkerStops } from './pause-unless.js';
import type { TellThrown } from './tell-thrown.js';
import type { TokenRunnerOptions } from '../engine/run-tokens.js';

/** The parts of a worker that give a slot token its job; the rest of the context is the same for each slot token. */
export interface TakeOverOptions {
  readonly store: Pick<JobStore, 'take'>;
  readonly worker: string;
  /** How many slots the account had when the worker began. */
  readonly slots?: number | undefined;
  /** Fires when the worker stops. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly context: Omit<RunContext, 'signal' | 'pause'>;
  readonly tellThrown: TellThrown;
}

/**
 * Gives a slot token its job and leads that to its end, in one way for a job that begins and for one whose worker has died.
 *
 * What the queue does when a worker dies:
 *
 * 1. The worker renews its lock on the slot token no more. After `lockMs` BullMQ gives the slot token to another worker (`engine/run-tokens.ts`), and no
 *    slot becomes free meanwhile: the service may still run the job.
 * 2. That worker takes the job of the slot token (`store/scripts/take.lua`), if BullMQ's lock on the slot token is its own. The job's fence grows, so the store
 *    refuses each intent, event and end of the worker before: should that one only have been suspended, it finds the job lost and sends nothing.
 * 3. Where the log has the end of the job already, only the job is left. Else its record decides (`policy/next-step.ts`): the worker follows
 *    what the service has, finds out what became of an intent without an answer, and submits only what can't run twice.
 * 4. The log goes on from its last event, with the same positions, so followers notice a pause and nothing else.
 *
 * A slot token that is lost with its worker, as after a crash of the server, is added again by the maintenance of any worker.
 */
export const takeOver =
  ({
    store,
    worker,
    slots,
    stopping,
    clock,
    context,
    tellThrown,
  }: TakeOverOptions): TokenRunnerOptions['run'] =>
  async (token, lost, lock) => {
    const signal = AbortSignal.any([stopping, lost]);
    try {
      if (signal.aborted) return 'requeue';
      const held = await store.take(token, worker, lock, slots);
      if (held === undefined) return 'done';
      return await runHeldJob(held, { ...context, signal, pause: (ms) => pauseUnless(clock, signal, ms) });
    } catch (error) {
      if (error instanceof WorkerStops) return 'requeue';
      if (!signal.aborted) tellThrown('The run of a job threw, and is tried again', error);
      throw error;
    }
  };
