import { plainJob } from '../plain-job.js';
import type { JobPlan, Moment } from '../schedule.js';
import type { SimClock } from '../sim-clock.js';
import type { JobKind } from '../sim-jobs.js';
import { type LocalHub, localHub } from './local-hub.js';
import { type LocalAsk, type LocalJob, makeLocalJob } from './local-job.js';
import type { LocalMessage } from './local-messages.js';
import { pendingHeap } from './pending-heap.js';
import { type LocalRecord, recordOf } from './local-record.js';

/** One engine on one's own machine: it runs one job after the other and remembers them in memory. */
export interface LocalServer {
  /** Jobs of the schedule, by id; those of strangers are not among them. */
  readonly jobs: {
    readonly byId: Map<string, LocalJob>;
    readonly accept: (plan: JobPlan, ask?: LocalAsk) => LocalJob;
  };
  readonly hub: LocalHub;
  /** Queues a job of another client. */
  readonly queueForeign: (plan: JobPlan, ask?: LocalAsk) => LocalJob;
  readonly running: () => LocalJob | undefined;
  /** What waits, as a heap lies in memory. */
  readonly pending: () => readonly LocalJob[];
  readonly history: ReadonlyMap<string, LocalRecord>;
  /** Takes jobs out that wait: they leave no trace. */
  readonly remove: (matches: (job: LocalJob) => boolean) => number;
  /** Ends what runs, if it is this job and its start was sent. */
  readonly interrupt: (promptId?: string) => void;
  /** Forgets every job that has ended. */
  readonly clearHistory: () => boolean;
  /** Ends the process, for so long: what waited, ran or was remembered is gone for ever. */
  readonly die: (downMs: number) => void;
}

/** What the server needs. */
export interface LocalServerOptions {
  readonly clock: SimClock;
  readonly reached: (plan: JobPlan, moment: Moment) => void;
  /** Called when a message of a job has reached a client; `isClear` where the same socket had brought its start. */
  readonly heard: (promptId: string, message: LocalMessage, isBinary: boolean, isClear: boolean) => void;
  /** Called with each job of the schedule that the server knows no more. */
  readonly lost: (job: LocalJob) => void;
  /** Called when a socket takes the client id that another one holds. */
  readonly overlapped: () => void;
}

/** Makes a server without any job. */
export const localServer = ({ clock, reached, heard, lost, overlapped }: LocalServerOptions): LocalServer => {
  const byId = new Map<string, LocalJob>();
  const history = new Map<string, LocalRecord>();
  const pending = pendingHeap<LocalJob>();
  let running: LocalJob | undefined;
  let numbers = 0;
  let ids = 0;
  let downUntil = 0;

  const remaining = (): number => pending.items.length + (running === undefined ? 0 : 1);
  const hub = localHub({
    remaining,
    overlapped,
    nodeOf: (clientId) =>
      running?.isExecuting === true && running.clientId === clientId
        ? running.say.nodeIds[running.node]
        : undefined,
  });
  const isOwn = ({ promptId }: LocalJob): boolean => byId.has(promptId);
  const tellMoment = (job: LocalJob, moment: Moment): void => {
    if (isOwn(job)) reached(job.plan, moment);
  };

  const post = ({ clientId, promptId }: LocalJob, message: LocalMessage, delayMs: number): void => {
    if (clientId === undefined && 'type' in message && !broadcast.has(message.type)) return;
    hub.post(message, {
      clientId,
      promptId,
      delayMs,
      heard: (wire, isClear) => heard(promptId, message, typeof wire !== 'string', isClear),
    });
  };
  /** A job that waits can only be taken out; one that runs says how it ended, is recorded, and the next one begins. */
  const end = (job: LocalJob, kind: JobKind): void => {
    if (isOver(job)) return;
    if (job !== running) {
      if (kind === 'cancelled') remove((other) => other === job);
      return;
    }
    tellMoment(job, 'ending');
    if (isOver(job)) return;
    job.phase = kind;
    job.endedAt = clock.now();
    const message = job.endMessage(kind);
    if (kind === 'failed') job.failure = message.data;
    job.log.push(message);
    job.send(message);
    // Rarely the record comes a moment after the end; until then the job is listed as running.
    const gapMs = job.lagMs === 0 ? 0 : 6 + (job.lagMs % 11);
    job.recordAt = clock.now() + gapMs;
    clock.at(gapMs, () => {
      if (job.hiddenUntil === Infinity) return;
      history.delete(job.promptId);
      history.set(job.promptId, recordOf(job, kind));
      if (running === job) running = undefined;
      hub.tellQueue(remaining());
      job.send(job.say.nothingRuns);
      tellMoment(job, 'ended');
      work();
    });
  };
  const go = (job: LocalJob, place: number): void => {
    const step = job.steps[place];
    const afterMs = step?.afterMs ?? job.plan.stepMs;
    clock.at(Math.max(afterMs, job.holdUntil - clock.now()), () => {
      if (job.endedAt !== undefined || running !== job) return;
      if (job.holdUntil > clock.now()) go(job, place);
      else if (job.isInterrupted) end(job, 'cancelled');
      else if (step === undefined) end(job, job.plan.end);
      else {
        step.work(job);
        go(job, place + 1);
      }
    });
  };
  const work = (): void => {
    if (running !== undefined) return;
    const job = pending.pop();
    if (job === undefined) return;
    running = job;
    job.phase = 'in_progress';
    hub.tellQueue(remaining());
    go(job, 0);
  };
  const queue = (plan: JobPlan, { promptId, number, clientId }: LocalAsk, own: boolean): LocalJob => {
    const job = makeLocalJob(
      plan,
      { promptId: promptId ?? `local-${(ids += 1)}`, number: number ?? (numbers += 1) - 1, clientId },
      { clock, reached: (moment) => tellMoment(job, moment), post, end },
    );
    if (own) byId.set(job.promptId, job);
    pending.push(job);
    // The answer is written before any message is sent.
    clock.at(0, () => {
      hub.tellQueue(remaining());
      clock.at(1, () => {
        if (job.phase === 'pending') tellMoment(job, 'queued');
        work();
      });
    });
    return job;
  };
  const remove: LocalServer['remove'] = (matches) => {
    const wasLast = pending.items.length === 1;
    const gone = new Set(pending.items.filter(matches));
    pending.remove((job) => gone.has(job));
    for (const job of gone) {
      tellMoment(job, 'ending');
      job.phase = 'cancelled';
      job.leavesNoTrace = true;
      job.endedAt = clock.now();
      tellMoment(job, 'ended');
    }
    if (gone.size > 0 && wasLast) hub.tellQueue(remaining());
    if (gone.size > 0) hub.tellQueue(remaining());
    return gone.size;
  };

  const die: LocalServer['die'] = (downMs) => {
    downUntil = Math.max(downUntil, clock.now() + downMs);
    hub.reset();
    running = undefined;
    pending.remove(() => true);
    history.clear();
    numbers = 0;
    for (const job of byId.values()) if (job.hiddenUntil !== Infinity) lost(job);
  };

  return {
    jobs: {
      byId,
      accept: (plan, ask = { clientId: plan.clientless === true ? undefined : 'another program' }) => {
        // A job of another client runs first, where the plan is to wait for long.
        if (plan.queueMs > 300) queue(busyPlan(plan), { clientId: 'somebody else' }, false);
        const job = queue(plan, ask, true);
        // No process accepts it while the server is down, and none remembers it afterwards.
        if (clock.now() < downUntil) die(0);
        return job;
      },
    },
    hub,
    queueForeign: (plan, ask = {}) => queue(plan, ask, false),
    running: () => running,
    pending: () => pending.items,
    history,
    remove,
    interrupt: (promptId) => {
      if (running?.hasStarted !== true || (promptId !== undefined && promptId !== running.promptId)) return;
      if (!running.runsOnRegardless) running.isInterrupted = true;
    },
    clearHistory: () => {
      const forgotten = [...history.keys()].flatMap((promptId) => byId.get(promptId) ?? []);
      history.clear();
      for (const job of forgotten) {
        job.isRecordCleared = true;
        lost(job);
      }
      return forgotten.length > 0;
    },
    die,
  };
};

const isOver = ({ endedAt }: LocalJob): boolean => endedAt !== undefined;

/** What a job without a client id sends to every socket, besides pictures and texts. */
const broadcast: ReadonlySet<string> = new Set(['progress', 'progress_state', 'execution_interrupted']);

/** A job of another client that takes as long as a plan is to wait. */
const busyPlan = (plan: JobPlan): JobPlan => ({ ...plainJob(800), stepMs: plan.queueMs / 4 });
