import type { EventData, ServiceMessage } from '../../messages.js';
import { event } from '../../scheduler/events.js';
import { failureWithoutNode } from '../../scheduler/failure.js';
import type { RunEnvironment } from '../../scheduler/run-environment.js';
import { runJob, type RunEnd } from '../../scheduler/run-job.js';
import type { LocalJob } from './local-job.js';

/** What one run needs from around it. */
export interface LocalRunEnvironment extends Omit<RunEnvironment, 'record' | 'send'> {
  readonly now: () => number;
  /** Sends a message to whoever hears of this job. */
  readonly send: (message: ServiceMessage) => void;
  /** True where the previews of this job's client break its run. */
  readonly breaksOnPreview: () => boolean;
}

/** Executes a job and tells how it ended, up to its terminal event; true where it succeeded. */
export const runLocalJob = async (job: LocalJob, environment: LocalRunEnvironment): Promise<boolean> => {
  const record = (_job: unknown, type: string, data: EventData): void => {
    const stamped = { ...data, timestamp: environment.now() };
    job.messages.push([type, stamped]);
    environment.send(event(type, stamped));
  };
  const send = (message: ServiceMessage): void => {
    if (message.kind === 'preview' && environment.breaksOnPreview()) throw new BrokenFlags();
    environment.send(message);
  };
  record(job, 'execution_start', { prompt_id: job.id });
  const end = await runJob(job, { ...environment, record, send }).catch(panic);
  switch (end._tag) {
    case 'success':
      record(job, 'execution_success', { prompt_id: job.id });
      return true;
    case 'interrupted': {
      const { nodeId, nodeType, executed } = end;
      record(job, 'execution_interrupted', {
        prompt_id: job.id,
        node_id: nodeId,
        node_type: nodeType,
        executed,
      });
      return false;
    }
    case 'failed': {
      const { failure, executed, inputs } = end;
      job.failure = failure;
      const told = { executed, current_inputs: inputs, current_outputs: [...job.graph.keys()] };
      record(job, 'execution_error', { prompt_id: job.id, ...failure, ...told });
      return false;
    }
  }
};

/** What a client gets that announced flags which are no object. */
class BrokenFlags extends Error {
  override readonly name = 'AttributeError';

  constructor() {
    super("'list' object has no attribute 'get'");
  }
}

const panic = (error: unknown): RunEnd => ({
  _tag: 'failed',
  failure: failureWithoutNode('Exception', error instanceof Error ? error.message : String(error)),
  inputs: {},
  executed: [],
});
