import { isInterfaceRow } from '../interface-rows.js';
import type { EmulatorOptions, InterfaceRow } from '../options.js';
import { event } from './events.js';
import { billingFailure, failureWithoutNode, type Failure } from './failure.js';
import type { Job, RawWord } from './job.js';
import type { RunEnvironment } from './node-context.js';
import { runJob, type RunEnd } from './run-job.js';

/** What a job's way through the service needs besides what its run needs. */
export interface CarryOutEnvironment extends RunEnvironment {
  readonly has: (row: InterfaceRow) => boolean;
  readonly billing: () => NonNullable<EmulatorOptions['billing']>;
  readonly now: () => number;
  /** Gives the job another word. */
  readonly move: (job: Job, word: RawWord) => void;
  /** Tells every socket how long the queue is. */
  readonly tellQueue: () => void;
  /** True for a job whose worker is to vanish. */
  readonly losesWorker: (job: Job) => boolean;
  /** Frees the job's place, after its last word and terminal event. */
  readonly leave: (job: Job) => void;
}

/** Takes one job from its place to its end; never rejects. */
export const carryOut = async (job: Job, environment: CarryOutEnvironment): Promise<void> => {
  const { pace, move, record, send, leave } = environment;
  try {
    for (const word of [...(job.word === 'submitted' ? unhindered : []), ...preparation]) {
      move(job, word);
      await pace.step(job.abort.signal);
    }
  } catch {
    end(job, 'cancelled', environment);
    leave(job);
    return;
  }
  environment.tellQueue();
  const refusal = job.refusal ?? billingFailure(environment.billing());
  if (refusal) {
    await settle(job, { _tag: 'failed', failure: refusal, inputs: {}, executed: [] }, environment);
    return;
  }
  move(job, 'executing');
  job.startedAt = environment.now();
  send(event('notification', { value: 'Your workflow runs.', id: job.id }));
  record(job, 'execution_start', { prompt_id: job.id });
  if (environment.losesWorker(job) || asksForLoss(job)) lose(job, environment);
  else await settle(job, await runJob(job, environment).catch(panic), environment);
};

/** What a job goes through that finds a place at once; the others come here from `queued_limited`. */
const unhindered = ['submitted', 'queued_waiting'] as const;
const preparation = ['allocated', 'preparing', 'pending_execution'] as const;

/** A run that breaks down outside of any node ends like one that failed. */
const panic = (error: unknown): RunEnd => ({
  _tag: 'failed',
  failure: failureWithoutNode('PanicError', error instanceof Error ? error.message : String(error)),
  inputs: {},
  executed: [],
});

/** Sets the job's last word first, so that whoever hears of the end and asks gets the same answer. */
const settle = async (job: Job, run: RunEnd, environment: CarryOutEnvironment): Promise<void> => {
  const { pace, move, record, leave } = environment;
  if (run._tag !== 'interrupted') {
    move(job, run._tag === 'success' ? 'executed' : 'erroring');
    await pace.step(job.abort.signal).catch(() => undefined);
  }
  if (run._tag === 'failed') {
    job.failure = visibleFailure(run.failure, environment.has);
    end(job, 'error', environment);
    const { inputs, executed } = run;
    const details = { ...job.failure, executed, current_inputs: inputs, current_outputs: {} };
    record(job, 'execution_error', { prompt_id: job.id, ...details });
  } else if (run._tag === 'interrupted' || job.abort.signal.aborted) {
    const last = job.targets.at(-1) ?? '';
    const at =
      run._tag === 'interrupted' ? run : { nodeId: last, nodeType: typeOf(job, last), executed: [last] };
    end(job, 'cancelled', environment);
    const details = { node_id: at.nodeId, node_type: at.nodeType, executed: at.executed };
    record(job, 'execution_interrupted', { prompt_id: job.id, ...details });
  } else {
    end(job, 'success', environment);
    record(job, 'execution_success', { prompt_id: job.id });
  }
  leave(job);
};

const end = (job: Job, word: RawWord, { move, now }: CarryOutEnvironment): void => {
  move(job, word);
  job.endedAt = now();
};

/** A worker that vanishes says nothing any more; only the status tells. */
const lose = (job: Job, environment: CarryOutEnvironment): void => {
  job.failure = failureWithoutNode('WorkerLost', 'The worker that ran the workflow is gone.');
  end(job, 'lost', environment);
  environment.leave(job);
};

/** `extra_data.emulate.end: 'lost'` asks for the loss of the worker. */
const asksForLoss = (job: Job): boolean => {
  const emulate = job.extraData['emulate'];
  return typeof emulate === 'object' && emulate !== null && 'end' in emulate && emulate.end === 'lost';
};

const typeOf = (job: Job, nodeId: string): string => job.graph.get(nodeId)?.classType ?? '';

/** A documented exception type that is switched off is told as another one. */
const visibleFailure = (failure: Failure, has: CarryOutEnvironment['has']): Failure => {
  const row = `exception:${failure.exception_type}`;
  return !isInterfaceRow(row) || has(row) ? failure : { ...failure, exception_type: 'RuntimeError' };
};
