import type { JobPlan } from '../schedule.js';
import type { SimClock } from '../sim-clock.js';
import type { JobKind, SimJob } from '../sim-jobs.js';
import { nodeId, outputsOf, type SimMessage } from '../sim-messages.js';
import { type LocalMessage, localMessagesOf } from './local-messages.js';

/** What a submission asks for besides its workflow. */
export interface LocalAsk {
  readonly promptId?: string;
  readonly clientId?: string | undefined;
  /** Where it stands in the queue; default: behind all that were submitted before. */
  readonly number?: number;
}

/** One entry of the local server's queue. */
export interface LocalJob extends SimJob {
  readonly number: number;
  /** The client id whose socket gets its events; undefined: none, and its progress is broadcast. */
  readonly clientId: string | undefined;
  /** Its start was sent; an interrupt that comes before is lost. */
  hasStarted: boolean;
  isInterrupted: boolean;
  /** The node that runs, or would be the next to: what does not complete ends at it. */
  node: number;
  /** Whether that node was said to run. */
  isExecuting: boolean;
  /** What its record says happened. */
  readonly log: SimMessage[];
  /** Its line in the queue's listing. */
  readonly listed: string;
  readonly steps: readonly LocalStep[];
  readonly send: (message: LocalMessage) => void;
  readonly say: ReturnType<typeof localMessagesOf>;
}

/** What a job does next. */
export interface LocalStep {
  readonly afterMs: number;
  readonly work: (job: LocalJob) => void;
}

/** What {@link makeLocalJob} needs. */
export interface LocalJobOptions {
  readonly clock: Pick<SimClock, 'now'>;
  readonly reached: (moment: 'started' | 'running' | 'executed') => void;
  readonly post: (job: LocalJob, message: LocalMessage, delayMs: number) => void;
  readonly end: (job: LocalJob, kind: JobKind) => void;
}

/** Makes a job that waits. Its messages pass its filters, which faults put there, before they are posted. */
export const makeLocalJob = (
  plan: JobPlan,
  { promptId, number, clientId }: Required<Pick<LocalAsk, 'promptId' | 'number'>> & LocalAsk,
  { clock, reached, post, end }: LocalJobOptions,
): LocalJob => {
  const say = once(() => localMessagesOf(promptId, plan, clock.now));
  const steps = once(() => stepsOf(plan, reached));
  const listed = once(() =>
    JSON.stringify([number, promptId, workflowOf(plan), extraData, Object.keys(outputsOf(plan))]),
  );
  const send = (message: LocalMessage): void => {
    if (!('type' in message)) {
      post(job, message, 0);
      return;
    }
    const filtered = job.filters.reduce(
      (all, filter) =>
        all.flatMap((one) =>
          filter(one.message).map((next) => ({ ...next, delayMs: next.delayMs + one.delayMs })),
        ),
      [{ message, delayMs: 0 }],
    );
    for (const one of filtered) post(job, one.message, one.delayMs);
  };
  const extraData = clientId === undefined ? {} : { client_id: clientId };
  const job: LocalJob = {
    promptId,
    number,
    clientId,
    plan,
    acceptedAt: clock.now(),
    phase: 'pending',
    outputs: {},
    hasDetail: false,
    lagMs: plan.lagMs,
    hiddenUntil: 0,
    hiddenSince: 0,
    runsOnRegardless: false,
    holdUntil: 0,
    hasStarted: false,
    node: 0,
    isExecuting: false,
    isInterrupted: false,
    log: [],
    filters: [],
    get listed() {
      return listed();
    },
    get steps() {
      return steps();
    },
    get say() {
      return say();
    },
    send,
    emit: send,
    endMessage: (kind) => say().end(kind, job.node),
    end: (kind) => end(job, kind),
  };
  return job;
};

/** Made when it is asked for, once: thousands wait and are never run. */
const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Its outputs, as they are sent and recorded; odd numbers stand beside the first node's files. */
const outputOf = (plan: JobPlan, node: number): object => ({
  ...outputsOf(plan)[nodeId(plan, node)],
  ...(plan.oddNumbers === true && node === 0 ? { numbers: [NaN, Infinity, -1.5] } : {}),
});

const workflowOf = (plan: JobPlan): object =>
  Object.fromEntries(Object.keys(outputsOf(plan)).map((id) => [id, { class_type: 'SaveImage', inputs: {} }]));

/** A run from its start to the step before its end, in which the last node fails or is interrupted where that is the plan. */
const stepsOf = (plan: JobPlan, reached: LocalJobOptions['reached']): readonly LocalStep[] => {
  const isUnfinished = (node: number): boolean => plan.end !== 'completed' && node === plan.nodes - 1;
  const execute = (job: LocalJob, node: number): void => {
    const { say, send } = job;
    if (plan.blocked === true && node === 0) send(say.blocked(0));
    else {
      const output = outputOf(plan, node);
      job.outputs = { ...job.outputs, [nodeId(plan, node)]: output };
      send(say.executed(node, output));
    }
    send(say.states(node, 1, 1));
    job.node = Math.min(node + 1, plan.nodes - 1);
    if (node === 0) reached('executed');
  };
  const steps: LocalStep[] = [
    {
      afterMs: 1 + (plan.queueMs % 40),
      work: (job) => {
        job.hasStarted = true;
        for (const message of [job.say.start(), job.say.cached()]) {
          job.log.push(message);
          job.send(message);
        }
        reached('started');
      },
    },
  ];
  for (let node = 0; node < plan.nodes; node += 1) {
    if (plan.cached) {
      if (!isUnfinished(node)) steps.push({ afterMs: 0, work: (job) => execute(job, node) });
      continue;
    }
    steps.push(
      {
        afterMs: plan.stepMs,
        work: (job) => {
          job.node = node;
          job.isExecuting = true;
          job.send(job.say.states(node, 0, 1));
          job.send(job.say.executing(node));
        },
      },
      {
        afterMs: plan.stepMs,
        work: (job) => {
          job.send(job.say.text(node));
          job.send(job.say.states(node, 1, 2));
          job.send(job.say.beat(node, 1));
          if (node === 0) reached('running');
        },
      },
      {
        afterMs: plan.stepMs,
        work: (job) => {
          if (isUnfinished(node)) return;
          job.send(job.say.states(node, 2, 2));
          job.send(job.say.beat(node, 2));
          execute(job, node);
        },
      },
    );
  }
  return steps;
};
