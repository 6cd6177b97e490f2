import type { JobPlan, Moment } from './schedule.js';
import type { SimClock } from './sim-clock.js';
import { messagesOf, nodeId, outputOf, outputsOf, type SimMessage } from './sim-messages.js';

/** How a job can end. */
export type JobKind = JobPlan['end'];

/** What a fault makes of a message: how often it is sent, and when. */
export type MessageFilter = (message: SimMessage) => readonly { message: SimMessage; delayMs: number }[];

/** One job as it truly is. */
export interface SimJob {
  readonly promptId: string;
  readonly plan: JobPlan;
  readonly acceptedAt: number;
  phase: 'pending' | 'in_progress' | JobKind;
  endedAt?: number;
  /** What its nodes have put out so far, as its record will have it. */
  outputs: Record<string, object>;
  /** The jobs API answers for it. */
  hasDetail: boolean;
  /** Why it failed, in the words of its messages, where it did. */
  failure?: Readonly<Record<string, unknown>>;
  /** When its record in history is whole. */
  recordAt?: number;
  lagMs: number;
  /** Neither status nor history knows it before this time; `Infinity`: never again. */
  hiddenUntil: number;
  hiddenSince: number;
  /** It was taken out of a local queue: a client that did not know it before finds none. */
  leavesNoTrace?: boolean;
  /** Its record was taken out of a local history: no answer shows any more that it ran. */
  isRecordCleared?: boolean;
  /** What status says instead of the truth, and until when. */
  word?: { readonly word: string; readonly until: number };
  /** The end that is sent instead of the true one. */
  says?: JobKind;
  /** Deleting it does nothing while it runs. */
  runsOnRegardless: boolean;
  holdUntil: number;
  readonly filters: MessageFilter[];
  /** Ends it now. */
  readonly end: (kind: JobKind, options?: { readonly quietly?: boolean }) => void;
  readonly emit: (message: SimMessage) => void;
  /** The message that reports an end of it, true or not. */
  readonly endMessage: (kind: JobKind) => SimMessage;
}

/** What jobs need of the service. */
export interface JobsOptions {
  readonly clock: SimClock;
  readonly send: (job: SimJob, message: SimMessage, delayMs: number) => void;
  readonly reached: (plan: JobPlan, moment: Moment) => void;
  /** Called where a record is not whole before a time. */
  readonly lags: (promptId: string, until: number) => void;
  readonly hasDetail: boolean;
}

/** The jobs of the service, by id. */
export interface SimJobs {
  readonly byId: Map<string, SimJob>;
  readonly accept: (plan: JobPlan) => SimJob;
}

/** Makes the service's side of all jobs. */
export const simJobs = ({ clock, send, reached, lags, hasDetail }: JobsOptions): SimJobs => {
  const byId = new Map<string, SimJob>();
  let accepted = 0;

  const accept = (plan: JobPlan): SimJob => {
    const promptId = `job-${plan.index}-${(accepted += 1)}`;
    const say = messagesOf(promptId, plan);
    /** The node that runs, or would be the next to: what does not complete ends at it. */
    let current = 0;
    const isOver = (): boolean => job.endedAt !== undefined;
    const emit = (message: SimMessage): void => {
      const sent = job.filters.reduce<readonly { message: SimMessage; delayMs: number }[]>(
        (all, filter) =>
          all.flatMap((one) =>
            filter(one.message).map(({ message: next, delayMs }) => ({
              message: next,
              delayMs: delayMs + one.delayMs,
            })),
          ),
        [{ message, delayMs: 0 }],
      );
      for (const one of sent) send(job, one.message, one.delayMs);
    };
    const end: SimJob['end'] = (kind, { quietly = false } = {}) => {
      if (isOver()) return;
      reached(plan, 'ending');
      if (isOver()) return;
      job.phase = kind;
      job.endedAt = clock.now();
      const lagsAlways = kind === 'completed' || plan.lagsAlways === true;
      job.recordAt = clock.now() + (lagsAlways ? job.lagMs : Math.min(400, job.lagMs));
      if (job.recordAt > clock.now()) lags(promptId, job.recordAt);
      if (kind === 'failed') job.failure = job.endMessage(kind).data;
      if (kind === 'completed' && plan.files !== 'events') job.outputs = outputsOf(plan);
      if (!quietly) {
        emit(job.endMessage(job.says ?? kind));
        emit(say.nothingRuns);
      }
      reached(plan, 'ended');
    };
    const job: SimJob = {
      promptId,
      plan,
      acceptedAt: clock.now(),
      phase: 'pending',
      outputs: {},
      hasDetail,
      lagMs: plan.lagMs,
      hiddenUntil: 0,
      hiddenSince: 0,
      runsOnRegardless: false,
      holdUntil: 0,
      filters: [],
      end,
      emit,
      endMessage: (kind) => messagesOf(promptId, plan, current).ends[kind],
    };
    byId.set(promptId, job);

    // A job that fails does so at its last node, which puts nothing out.
    const nodesToRun = plan.end === 'failed' ? plan.nodes - 1 : plan.nodes;
    const putOut = (of: number): void => {
      if (plan.files !== 'events') job.outputs = { ...job.outputs, [nodeId(plan, of)]: outputOf(plan, of) };
      current = Math.min(of + 1, plan.nodes - 1);
    };
    const steps: { readonly afterMs: number; readonly work: () => void }[] = [
      { afterMs: plan.queueMs / 2, work: () => reached(plan, 'queued') },
      {
        afterMs: plan.queueMs / 2,
        work: () => {
          job.phase = 'in_progress';
          emit(say.start);
          if (plan.cached) {
            emit(say.cached(nodesToRun));
            for (let node = 0; node < nodesToRun; node += 1) putOut(node);
          }
          reached(plan, 'started');
        },
      },
    ];
    for (let node = 0; node < plan.nodes && !plan.cached; node += 1) {
      steps.push(
        { afterMs: plan.stepMs, work: () => emit(say.executing(node)) },
        {
          afterMs: plan.stepMs,
          work: () => {
            emit(say.progress(node, 1, 2));
            if (node === 0) reached(plan, 'running');
          },
        },
        { afterMs: plan.stepMs, work: () => emit(say.progress(node, 2, 2)) },
        {
          afterMs: 0,
          work: () => {
            if (node < nodesToRun) {
              putOut(node);
              if (Object.keys(outputOf(plan, node)).length > 0) emit(say.executed(node));
            }
            if (node === 0) reached(plan, 'executed');
          },
        },
      );
    }
    steps.push({ afterMs: plan.stepMs, work: () => end(plan.end) });
    const go = (place: number): void => {
      const step = steps[place];
      if (step === undefined) return;
      clock.at(step.afterMs, () => {
        if (isOver()) return;
        const heldMs = job.holdUntil - clock.now();
        if (heldMs > 0) clock.at(heldMs, () => perform());
        else perform();
      });
      const perform = (): void => {
        if (isOver()) return;
        step.work();
        go(place + 1);
      };
    };
    go(0);
    return job;
  };

  return { byId, accept };
};
