import { map, type Observable, Subject, type VirtualTimeScheduler } from 'rxjs';
import type { EventFrame } from '../../../src/core/protocol/frames/frame.js';
import { initialJobState, nodesToRun } from '../../../src/core/state/initial-job-state.js';
import type { JobDurations } from '../../../src/client/jobs/durations-of-client.js';
import type { JobInput } from '../../../src/core/state/job-input.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import type { JobPlan } from '../../../src/core/state/job-plan.js';
import { progress, type Progress } from '../../../src/core/operators/progress.js';
import { stepJobState } from '../../../src/core/state/step-job-state.js';
import type { TrueNode, TrueTime } from './truth.js';

/** A job that is played: its nodes in order, what each takes, and those that are cached. */
export interface PlayedJob {
  readonly nodes: readonly TrueNode[];
  readonly times: ReadonlyMap<string, TrueTime>;
  readonly cached: ReadonlySet<string>;
  /** How long each of the jobs before it goes on, the first one first. */
  readonly before: readonly number[];
  /** Whether the service says by `progress_state` which nodes run. */
  readonly isExact: boolean;
  /** Whether a node is of a kind that the client has run, or that any client knows. */
  readonly isKnown: (node: TrueNode) => boolean;
}

/** What was shown at one moment. */
export interface Moment {
  /** The share of the job's time that has really passed, and what was really left of it. */
  readonly share: number;
  readonly leftMs: number;
  readonly shown: Progress;
  /** What the operator shows that knows the true time of each node of a known kind: the best that any may reach. */
  readonly atBest: Progress;
  readonly state: JobState;
  /** Since the job began to run, and since the node that runs did. */
  readonly passedMs: number;
  readonly nodeMs: number;
}

/** What was seen of a job: moments of its run, moments before, and all values and stages. */
export interface JobRun {
  readonly moments: readonly Moment[];
  readonly waiting: readonly Moment[];
  readonly values: readonly number[];
  readonly stages: readonly string[];
  readonly totalMs: number;
  /** Whether each of its nodes is of a kind that the client has run, or that any client knows. */
  readonly isKnown: boolean;
}

/** Makes the operator that is judged. */
export type MakeProgress = (options: {
  readonly scheduler: VirtualTimeScheduler;
  readonly periodMs: number | undefined;
}) => (source: Observable<JobState>) => Observable<Progress>;

/** One event of the service, and when it comes after the job was accepted. */
interface Told {
  readonly at: number;
  readonly input: JobInput;
}

/** In a long run the time alone gives a value so many times, which is often enough for its looks; by default ten times a second. */
const mostPeriods = 400;

const promptId = 'a';

/** Plays a job in virtual time and looks at what the operator shows, so many times at even distances of its run. */
export const playJob = (
  job: PlayedJob,
  {
    scheduler,
    durations,
    makeProgress,
  }: {
    readonly scheduler: VirtualTimeScheduler;
    readonly durations: JobDurations;
    /** Absent for a job that is not looked at. */
    readonly makeProgress: MakeProgress | undefined;
  },
  looks: number,
): JobRun => {
  const origin = scheduler.now();
  const startMs = job.before.reduce((sum, ms) => sum + ms, 0);
  const { events, endMs } = eventsOf(job, startMs);
  const totalMs = endMs - startMs;
  const workflow = Object.fromEntries(
    job.nodes.map(({ id, classType, inputs }) => [id, { class_type: classType, inputs }]),
  );
  const planned = durations.plan(workflow, nodesToRun(workflow));
  const states = new Subject<JobState>();
  const values: number[] = [];
  const stages: string[] = [];
  let shown: Progress | undefined;
  let atBest: Progress | undefined;
  let state: JobState = {
    ...initialJobState({ promptId, workflow }),
    ...(planned && { plan: planned.plan }),
  };
  let nodeFrom = startMs;
  const periodMs = totalMs > mostPeriods * 100 ? totalMs / mostPeriods : undefined;
  makeProgress?.({ scheduler, periodMs })(states).subscribe((next) => {
    shown = next;
    values.push(next.value);
    stages.push(next.stage);
  });
  if (makeProgress !== undefined)
    states
      .pipe(
        map((next) => (next.plan === undefined ? next : { ...next, plan: truePlan(job, next.plan) })),
        progress({ scheduler, periodMs }),
      )
      .subscribe((next) => {
        atBest = next;
      });
  const move = (next: JobState): void => {
    const runs = runningOf(next);
    if (runs !== undefined && runs !== runningOf(state)) nodeFrom = scheduler.now() - origin;
    state = next;
    planned?.onState(next);
    states.next(next);
  };
  move(state);
  for (const { at, input } of events)
    scheduler.schedule(() => {
      const next = stepJobState(state, input);
      if (next !== state) move(next);
    }, at);
  const look = (list: Moment[], at: number): void => {
    scheduler.schedule(() => {
      const now = scheduler.now() - origin;
      const passedMs = now - startMs;
      const share = passedMs / totalMs;
      if (shown !== undefined && atBest !== undefined)
        list.push({ share, leftMs: endMs - now, shown, atBest, state, passedMs, nodeMs: now - nodeFrom });
    }, at);
  };
  const moments: Moment[] = [];
  const waiting: Moment[] = [];
  for (let nth = 1; nth <= looks; nth += 1) look(moments, startMs + (totalMs * nth) / (looks + 1));
  if (startMs > 0) for (let nth = 1; nth <= 5; nth += 1) look(waiting, (startMs * nth) / 6);
  scheduler.flush();
  return { moments, waiting, values, stages, totalMs, isKnown: job.nodes.every(job.isKnown) };
};

const runningOf = ({ nodes }: JobState): string | undefined =>
  Object.values(nodes).find(({ phase }) => phase === 'running')?.nodeId;

/** The true time of each node of a known kind, and what the client supposes of the others. */
const truePlan = ({ nodes, times, isKnown }: PlayedJob, supposed: JobPlan): JobPlan => {
  const classes = [...new Set(nodes.map(({ classType }) => classType))];
  return {
    nodes: nodes.flatMap((node) => {
      const time = times.get(node.id);
      const kind = classes.indexOf(node.classType);
      if (time === undefined) return [];
      if (!isKnown(node))
        return supposed.nodes.filter(({ nodeId }) => nodeId === node.id).map((guess) => ({ ...guess, kind }));
      const ms = time.stepsMs.reduce((sum, stepMs) => sum + stepMs, time.leadMs);
      return [{ nodeId: node.id, ms, spread: 0.15, kind }];
    }),
  };
};

/** What the service tells of a job, and when it ends. */
const eventsOf = (
  { nodes, times, cached, before, isExact }: PlayedJob,
  startMs: number,
): { readonly events: readonly Told[]; readonly endMs: number } => {
  const events: Told[] = [];
  let ms = 0;
  before.forEach((waitMs, index) => {
    const queue = { position: before.length - index };
    events.push({ at: ms, input: { _tag: 'StatusRead', promptId, phase: 'pending', queue } });
    ms += waitMs;
  });
  ms = startMs;
  const tell = (type: string, data: object): void => {
    const frame = { _tag: 'Event', promptId, type, data: { ...data, prompt_id: promptId } } as EventFrame;
    events.push({ at: ms, input: frame });
  };
  const tellState = (id: string, state: string): void => {
    if (isExact) tell('progress_state', { nodes: { [id]: { node_id: id, state, value: 0, max: 1 } } });
  };
  tell('execution_start', {});
  tell('execution_cached', { nodes: [...cached] });
  for (const { id } of nodes) {
    const time = times.get(id);
    if (time === undefined) continue;
    tellState(id, 'running');
    tell('executing', { node: id, display_node: id });
    ms += time.leadMs;
    time.stepsMs.forEach((stepMs, index) => {
      ms += stepMs;
      const max = time.ofPass ?? time.stepsMs.length;
      tell('progress', { node: id, value: (index % max) + 1, max });
    });
    tellState(id, 'finished');
  }
  tell('execution_success', {});
  return { events, endMs: ms };
};

/** The middle of some numbers; of none it is 1, which misses any target. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 1;
