import { completionOf } from '../scheduler/completion.js';
import type { EngineFacts } from './engine-facts.js';
import { event, type EventData, type ServiceMessage } from '../messages.js';
import { errorData, failureWithoutNode, type Job } from '../scheduler/job.js';
import { originOf } from '../scheduler/subgraph.js';
import type { RunEnd, RunEnvironment } from '../scheduler/run-environment.js';
import { runJob } from '../scheduler/run-job.js';
import { withoutCredentials } from '../scheduler/credentials.js';

/** The dependencies of a run. */
export interface LocalRunEnvironment extends Omit<RunEnvironment, 'record' | 'send'> {
  /** Sends a message to the job's recipients. */
  readonly send: (message: ServiceMessage) => void;
  /** True if the previews of this job's client break its run. */
  readonly breaksOnPreview: () => boolean;
}

/** Executes a job up to its terminal event; true if it succeeded. */
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
      record(job, 'execution_success', { prompt_id: job.id, ...completionOf(environment.switches) });
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
      const current = { current_inputs: inputs, current_outputs: [...job.graph.keys()] };
      record(job, 'execution_error', errorData(job.id, failure, executed, current));
      return false;
    }
  }
};

/** The failure of jobs whose client announced flags that are no object. */
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

/** The record of an ended job. */
export const historyRecord = (job: LocalJob, succeeded: boolean): EventData => {
  return {
    prompt: [job.shownNumber, job.id, job.prompt, withoutCredentials(job.extraData), job.targets],
    outputs: Object.fromEntries(job.outputs),
    status: {
      status_str: succeeded ? 'success' : 'error',
      completed: succeeded,
      messages: [...job.messages],
    },
    meta: Object.fromEntries([...job.outputs.keys()].map((nodeId) => [nodeId, meta(job, nodeId)])),
  };
};

const meta = ({ origins }: LocalJob, nodeId: string): EventData => {
  const { displayId, parentId, realId } = originOf(origins, nodeId);
  return { node_id: nodeId, display_node: displayId, parent_node: parentId, real_node_id: realId };
};

/** One submission to the local server. */
export interface LocalJob extends Job {
  /** The number as answered: an integer, or a float where the client gave it. */
  readonly shownNumber: unknown;
  /** The client that gets its events; `undefined` or `null` where the submission names none. */
  readonly clientId: unknown;
}

/** `[number, id, workflow, extra_data, output ids]`, as the queue lists a job; engines without a jobs API show its credentials. */
export const queueTuple = (job: LocalJob, { jobsApi }: Pick<EngineFacts, 'jobsApi'>): readonly unknown[] => [
  job.shownNumber,
  job.id,
  job.prompt,
  jobsApi ? withoutCredentials(job.extraData) : job.extraData,
  job.targets,
];
