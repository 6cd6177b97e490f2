import {
  billingFailure,
  errorData,
  type Failure,
  failureWithoutNode,
  type Job,
  type RawStatus,
} from './job.js';
import { completionOf } from './completion.js';
import type { EmulatorOptions, InterfaceRow } from '../options.js';
import { event } from '../messages.js';
import { isInterfaceRow } from '../interface-rows.js';
import type { RunEnd, RunEnvironment } from './run-environment.js';
import { runJob } from './run-job.js';

/** The service around a run: what it reports, its billing, its clock, and where the job's status goes. */
export interface ExecutionEnvironment extends RunEnvironment {
  readonly has: (row: InterfaceRow) => boolean;
  readonly billing: () => NonNullable<EmulatorOptions['billing']>;
  /** Changes the status of the job. */
  readonly setStatus: (job: Job, status: RawStatus) => void;
  /** Sends the length of the queue to every socket. */
  readonly broadcastQueueLength: () => void;
  /** True for a job that loses its worker. */
  readonly losesWorker: (job: Job) => boolean;
  /** Frees the job's slot, after its last status and terminal event. */
  readonly release: (job: Job) => void;
}

/** Executes a job that has a slot, from its preparation to its end; never rejects. */
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

/** The statuses of a job that gets a slot at once; others were `queued_limited`. */
const queuePassing = ['submitted', 'queued_waiting'] as const;
const preparation = ['allocated', 'preparing', 'pending_execution'] as const;

/** A run that throws outside of any node ends as failed. */
const panic = (error: unknown): RunEnd => ({
  _tag: 'failed',
  failure: failureWithoutNode('PanicError', error instanceof Error ? error.message : String(error)),
  inputs: {},
  executed: [],
});

/** Ends a job. It sets the last status before the terminal event, so that a client that reads the status on that event
 * gets the same end. */
const settle = async (job: Job, run: RunEnd, environment: ExecutionEnvironment): Promise<void> => {
  const { pace, setStatus, record, release } = environment;
  if (run._tag !== 'interrupted') {
    setStatus(job, run._tag === 'success' ? 'executed' : 'erroring');
    await pace.step(job.abort.signal).catch(() => undefined);
  }
  if (run._tag === 'failed') {
    job.failure = visibleFailure(run.failure, environment.has);
    end(job, 'error', environment);
    const current = { current_inputs: run.inputs, current_outputs: {} };
    record(job, 'execution_error', errorData(job.id, job.failure, run.executed, current));
  } else if (run._tag === 'interrupted' || job.abort.signal.aborted) {
    const last = job.targets.at(-1) ?? '';
    const at =
      run._tag === 'interrupted' ? run : { nodeId: last, nodeType: typeOf(job, last), executed: [last] };
    end(job, 'cancelled', environment);
    const details = { node_id: at.nodeId, node_type: at.nodeType, executed: at.executed };
    record(job, 'execution_interrupted', { prompt_id: job.id, ...details });
  } else {
    end(job, 'success', environment);
    record(job, 'execution_success', { prompt_id: job.id, ...completionOf(environment.switches) });
  }
  release(job);
};

const end = (job: Job, status: RawStatus, { setStatus, now }: ExecutionEnvironment): void => {
  setStatus(job, status);
  job.endedAt = now();
};

/** A vanished worker sends no further event; only the status shows the loss. */
const loseWorker = (job: Job, environment: ExecutionEnvironment): void => {
  job.failure = failureWithoutNode('WorkerLost', 'The worker that ran the workflow is gone.');
  end(job, 'lost', environment);
  environment.release(job);
};

/** `extra_data.emulate.end: 'lost'` requests the loss of the worker. */
const asksForLoss = (job: Job): boolean => {
  const emulate = job.extraData['emulate'];
  return typeof emulate === 'object' && emulate !== null && 'end' in emulate && emulate.end === 'lost';
};

const typeOf = (job: Job, nodeId: string): string => job.graph.get(nodeId)?.classType ?? '';

/** Replaces a documented exception type that is switched off. */
const visibleFailure = (failure: Failure, has: ExecutionEnvironment['has']): Failure => {
  const row = `exception:${failure.exception_type}`;
  return !isInterfaceRow(row) || has(row) ? failure : { ...failure, exception_type: 'RuntimeError' };
};
