import { billingFailure, type Failure, failureWithoutNode, type Job, type RawStatus } from './job.js';
import type { EmulatorOptions, InterfaceRow } from '../options.js';
import { event } from '../messages.js';
import { isInterfaceRow } from '../interface-rows.js';
import { type RunEnd, type RunEnvironment, runJob } from './run-job.js';

/** What a job's way through the service needs besides what its run needs. */
export interface ExecutionEnvironment extends RunEnvironment {
  readonly has: (row: InterfaceRow) => boolean;
  readonly billing: () => NonNullable<EmulatorOptions['billing']>;
  readonly now: () => number;
  /** Gives the job another status. */
  readonly setStatus: (job: Job, status: RawStatus) => void;
  /** Tells every socket how long the queue is. */
  readonly broadcastQueueLength: () => void;
  /** True for a job whose worker is to vanish. */
  readonly losesWorker: (job: Job) => boolean;
  /** Frees the job's place, after its last status and terminal event. */
  readonly release: (job: Job) => void;
}

/** Takes one job from its place to its end; never rejects. */
export const executeJob = async (job: Job, environment: ExecutionEnvironment): Promise<void> => {
  const { pace, setStatus, record, send, release } = environment;
  try {
    for (const status of [...(job.status === 'submitted' ? queuePassing : []), ...preparation]) {
      setStatus(job, status);
      await pace.step(job.abort.signal);
    }
  } catch {
    end(job, 'cancelled', environment);
    release(job);
    return;
  }
  environment.broadcastQueueLength();
  const refusal = job.refusal ?? billingFailure(environment.billing());
  if (refusal) {
    await settle(job, { _tag: 'failed', failure: refusal, inputs: {}, executed: [] }, environment);
    return;
  }
  setStatus(job, 'executing');
  job.startedAt = environment.now();
  send(event('notification', { value: 'Your workflow runs.', id: job.id }));
  record(job, 'execution_start', { prompt_id: job.id });
  if (environment.losesWorker(job) || asksForLoss(job)) loseWorker(job, environment);
  else await settle(job, await runJob(job, environment).catch(panic), environment);
};

/** What a job goes through that finds a place at once; the others come here from `queued_limited`. */
const queuePassing = ['submitted', 'queued_waiting'] as const;
const preparation = ['allocated', 'preparing', 'pending_execution'] as const;

/** A run that breaks down outside of any node ends like one that failed. */
const panic = (error: unknown): RunEnd => ({
  _tag: 'failed',
  failure: failureWithoutNode('PanicError', error instanceof Error ? error.message : String(error)),
  inputs: {},
  executed: [],
});

/** Sets the job's last status first, so that whoever hears of the end and asks gets the same answer. */
const settle = async (job: Job, run: RunEnd, environment: ExecutionEnvironment): Promise<void> => {
  const { pace, setStatus, record, release } = environment;
  if (run._tag !== 'interrupted') {
    setStatus(job, run._tag === 'success' ? 'executed' : 'erroring');
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
  release(job);
};

const end = (job: Job, status: RawStatus, { setStatus, now }: ExecutionEnvironment): void => {
  setStatus(job, status);
  job.endedAt = now();
};

/** A worker that vanishes says nothing any more; only the status tells. */
const loseWorker = (job: Job, environment: ExecutionEnvironment): void => {
  job.failure = failureWithoutNode('WorkerLost', 'The worker that ran the workflow is gone.');
  end(job, 'lost', environment);
  environment.release(job);
};

/** `extra_data.emulate.end: 'lost'` asks for the loss of the worker. */
const asksForLoss = (job: Job): boolean => {
  const emulate = job.extraData['emulate'];
  return typeof emulate === 'object' && emulate !== null && 'end' in emulate && emulate.end === 'lost';
};

const typeOf = (job: Job, nodeId: string): string => job.graph.get(nodeId)?.classType ?? '';

/** A documented exception type that is switched off is told as another one. */
const visibleFailure = (failure: Failure, has: ExecutionEnvironment['has']): Failure => {
  const row = `exception:${failure.exception_type}`;
  return !isInterfaceRow(row) || has(row) ? failure : { ...failure, exception_type: 'RuntimeError' };
};
