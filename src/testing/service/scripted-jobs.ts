import type { Workflow } from '../../core/protocol/workflow.js';
import { endOf, type JobScript, messageOf } from './job-script.js';
import { encodeFrame } from '../encode-frame.js';
import { type FailureFields, jobFrames } from '../job-frames.js';
import type { Clock } from '../../core/platform/platform.js';

/** One job as it is at the service, which may be more than the client learns. */
export interface ScriptedJob {
  /** The id that the submission was answered with. */
  readonly promptId: string;
  /** The workflow as it was submitted. */
  readonly workflow: Workflow;
  /** Its place in the order of acceptance, from 0. */
  readonly index: number;
  /** How it stands now; `lost` where no source says anything of it any more. */
  readonly phase: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'lost';
  /** When it was accepted, by the service's clock. */
  readonly acceptedAtMs: number;
  /** When it ended, by the service's clock. */
  readonly endedAtMs?: number | undefined;
  /** What it has put out so far, by node. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Why it failed, where it did. */
  readonly failure?: FailureFields | undefined;
}

/** A job with what only the service knows of it. */
export interface LiveJob extends ScriptedJob {
  readonly clientId: string | undefined;
  readonly submitted: Readonly<Record<string, unknown>>;
  /** Whether its record is there. */
  readonly hasRecord: () => boolean;
  readonly cancel: () => void;
}

/** The scripts of the jobs: one for each submission in turn, the last one for all after it, or a function. */
export type JobScripts = readonly JobScript[] | ((workflow: Workflow, index: number) => JobScript);

/** What the jobs of a scripted service do, how many at once, and where their messages go. */
export interface ScriptedJobsOptions {
  readonly clock: Clock;
  readonly scripts: JobScripts;
  /** What a job does as far as its script leaves it open. */
  readonly defaultScript: (workflow: Workflow, index: number) => JobScript;
  readonly concurrency: number;
  /** Sends a message of a job, or of the queue where there is no job, to the sockets that it concerns. */
  readonly send: (message: string | Uint8Array, job?: LiveJob) => void;
  readonly newId: () => string;
}

/** The queue of the service. */
export interface ScriptedJobs {
  readonly all: readonly LiveJob[];
  readonly find: (promptId: string) => LiveJob | undefined;
  readonly accept: (body: Readonly<Record<string, unknown>>) => LiveJob;
}

/** Makes the queue: accepted jobs wait, run as their scripts say, at most `concurrency` at once, and end. */
export const scriptedJobs = ({
  clock,
  scripts,
  defaultScript,
  concurrency,
  send,
  newId,
}: ScriptedJobsOptions): ScriptedJobs => {
  const all: MutableJob[] = [];
  const waiting: MutableJob[] = [];
  const underWay = (): number => all.filter(({ phase }) => isUnderWay(phase)).length;
  const scriptOf = (workflow: Workflow, index: number): JobScript => {
    const script =
      typeof scripts === 'function' ? scripts(workflow, index) : (scripts[index] ?? scripts.at(-1));
    return { ...defaultScript(workflow, index), ...script };
  };
  const sendQueue = (): void =>
    send(
      JSON.stringify({ type: 'status', data: { status: { exec_info: { queue_remaining: underWay() } } } }),
    );
  const startNext = (): void => {
    const isFree = all.filter(({ phase }) => phase === 'in_progress').length < concurrency;
    const next = isFree ? waiting.shift() : undefined;
    if (next === undefined) return;
    if (next.phase === 'pending') run(next);
    startNext();
  };

  const run = (job: MutableJob): void => {
    const { script } = job;
    const frames = jobFrames(job.promptId);
    job.phase = 'in_progress';
    send(encodeFrame(frames.start), job);
    const steps = (script.steps ?? []).map((step) =>
      clock.after(step.atMs, () => {
        if (job.phase !== 'in_progress') return;
        if ('output' in step) job.outputs = { ...job.outputs, [step.node]: step.output };
        send(messageOf(job.promptId, step), job);
      }),
    );
    job.timers = [...steps, clock.after(endOf(script), () => end(job, script.end ?? 'completed'))];
  };

  const end = (job: MutableJob, phase: MutableJob['phase']): void => {
    if (!isUnderWay(job.phase)) return;
    const hadStarted = job.phase === 'in_progress';
    job.phase = phase;
    job.endedAtMs = clock.now();
    for (const cancel of job.timers) cancel();
    if (phase === 'completed' && job.script.outputs !== undefined) job.outputs = job.script.outputs;
    if (phase === 'failed') job.failure = job.script.failure ?? {};
    if (phase !== 'lost' && hadStarted) {
      const frames = jobFrames(job.promptId);
      const { success, interrupted } = frames;
      const last =
        phase === 'completed' ? success : phase === 'failed' ? frames.error(job.failure) : interrupted;
      send(encodeFrame(last), job);
      sendQueue();
      send(encodeFrame(frames.executing(null)), job);
    }
    startNext();
  };

  return {
    all,
    find: (promptId) => all.find((job) => job.promptId === promptId),
    accept: (body) => {
      const workflow = body['prompt'] as Workflow;
      const script = scriptOf(workflow, all.length);
      const job: MutableJob = {
        promptId: typeof body['prompt_id'] === 'string' ? body['prompt_id'] : newId(),
        workflow,
        script,
        index: all.length,
        phase: 'pending',
        acceptedAtMs: clock.now(),
        outputs: {},
        timers: [],
        clientId: typeof body['client_id'] === 'string' ? body['client_id'] : undefined,
        submitted: body,
        hasRecord: () =>
          job.phase !== 'lost' &&
          job.endedAtMs !== undefined &&
          clock.now() >= job.endedAtMs + (script.recordLagMs ?? 0),
        cancel: () => end(job, 'cancelled'),
      };
      all.push(job);
      sendQueue();
      clock.after(script.waitsMs ?? 100, () => {
        waiting.push(job);
        startNext();
      });
      return job;
    },
  };
};

type MutableJob = { -readonly [Name in keyof LiveJob]: LiveJob[Name] } & {
  readonly script: JobScript;
  /** Each cancels one timer of the run. */
  timers: readonly (() => void)[];
};

const isUnderWay = (phase: ScriptedJob['phase']): boolean => phase === 'pending' || phase === 'in_progress';
