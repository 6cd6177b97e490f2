import { type EmulatorOptions, type Fault, textToImageWorkflow } from '../../../src/emulator.js';
import { type Random, randomOf } from '../../simulation/random.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** What a job of an engine makes, or why the engine takes none of it. */
export type JobKind = keyof typeof workflows;

/** A job of the client. */
export interface EngineJob {
  readonly index: number;
  readonly kind: JobKind;
  readonly workflow: Workflow;
  readonly via: 'run' | 'submit';
  /** When it is cancelled, if it is. */
  readonly cancels?: 'once accepted' | 'once it runs';
}

/** What the engine does beside its jobs: to sockets, to submissions, and to what it says. */
export type Trouble = keyof typeof troubles;

/** A local server that a seed made, with the jobs of the client and of strangers. */
export interface GeneratedEngine {
  readonly seed: number;
  readonly options: EmulatorOptions;
  readonly troubles: readonly Trouble[];
  readonly jobs: readonly EngineJob[];
  /** Jobs of other programs: how many steps each takes, and whether it comes before those of the client. */
  readonly strangers: readonly { readonly steps: number; readonly isFirst: boolean }[];
}

/** Draws the engine of a seed: its release, limits, refusals, speed, and what its jobs make. */
export const drawEngine = (seed: number): GeneratedEngine => {
  const random = randomOf(seed, 32);
  const jobs = Array.from({ length: random.between(1, 3) }, (_, index) => drawJob(random, seed, index));
  const drawn = [...new Set(Array.from({ length: random.between(0, 3) }, () => random.pick(troubleNames)))];
  return {
    seed,
    jobs,
    troubles: drawn,
    strangers: Array.from({ length: random.between(0, 2) }, () => ({
      steps: random.between(5, 60),
      isFirst: random.chance(0.6),
    })),
    options: {
      dialect: 'local',
      seed,
      engine: random.pick(['0.3.40', '0.3.64', '0.6', '0.9', '0.26', 'latest'] as const),
      speed: random.pick([Infinity, 200, 50, 20]),
      switches: {
        recordDelayMs: random.pick([0, 1, 5, 10, 'random'] as const),
        ...(random.chance(0.3) && { maxPromptBytes: mostBytes }),
      },
      faults: drawn.flatMap((name) => troubles[name](random)),
    },
  };
};

/** Every text of a workflow is of one job of one engine, so that none comes from a cache unless it is meant to. */
const drawJob = (random: Random, seed: number, index: number): EngineJob => {
  const kind = random.pick(kinds);
  return {
    index,
    kind,
    workflow: workflows[kind](random, `engine ${seed}, job ${index}`),
    via: random.pick(['run', 'submit'] as const),
    ...(random.chance(0.25) && { cancels: random.pick(['once accepted', 'once it runs'] as const) }),
  };
};

/** Engines with a small limit of bodies refuse the large workflow alone. */
const mostBytes = 60_000;

const pictureOf = (random: Random, name: string): Workflow =>
  textToImageWorkflow({
    ...{ width: 64, height: 64, prompt: name },
    ...{ steps: random.between(1, 3), seed: random.below(1e9) },
  });

const slow = (random: Random, name: string): Workflow => ({
  1: { class_type: 'SlowNode', inputs: { steps: random.between(1, 30), anything: name } },
});

const workflows = {
  'a picture': pictureOf,
  text: (random: Random, name: string) => ({
    ...slow(random, name),
    2: { class_type: 'PreviewText', inputs: { source: ['1', 0] } },
  }),
  sound: (random: Random) => ({
    1: {
      class_type: 'EmptyAudio',
      inputs: { duration: random.between(1, 50) / 100, sample_rate: 8000, channels: 1 },
    },
    2: { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'audio/x' } },
  }),
  'several of them': (random: Random, name: string) => ({
    ...pictureOf(random, name),
    100: { class_type: 'SlowNode', inputs: { steps: random.between(0, 5), anything: name } },
    101: { class_type: 'PreviewText', inputs: { source: ['100', 0] } },
  }),
  'what is cached': () => ({ 1: { class_type: 'SlowNode', inputs: { steps: 2, anything: 'the same' } } }),
  'a slow node': (random: Random, name: string) => ({
    1: { class_type: 'SlowNode', inputs: { steps: random.between(20, 80), anything: name } },
  }),
  'a failure': (random: Random, name: string) => ({
    ...slow(random, name),
    2: {
      class_type: 'FailOnPurpose',
      inputs: { exception_type: 'ValueError', message: name, steps: random.between(0, 9) },
    },
  }),
  'an unknown class': (random: Random, name: string) => ({
    ...slow(random, name),
    2: { class_type: 'NoSuchNode', inputs: { text: name } },
  }),
  'a branch that is refused': (random: Random, name: string) => ({
    ...slow(random, name),
    2: { class_type: 'SlowNode', inputs: { steps: -1, anything: name } },
  }),
  'a large workflow': (random: Random, name: string) => ({
    1: { class_type: 'SlowNode', inputs: { steps: random.between(1, 9), anything: name.repeat(5_000) } },
  }),
} satisfies Record<string, (random: Random, name: string) => Workflow>;

const kinds = Object.keys(workflows) as JobKind[];

const submission = { on: 'rest', route: 'POST /prompt' } as const;
const message = (type: string, chance = 0.5): Fault => ({
  ...{ on: 'event', do: 'drop', match: { type }, times: 'every', chance },
});

const troubles = {
  'refuses sockets': (random: Random): readonly Fault[] => [
    {
      ...{ on: 'socket', do: 'refuse', status: random.pick([403, 502, 503]) },
      times: random.pick([1, 2, 'every'] as const),
    },
  ],
  'cuts handshakes': (random: Random) => [
    { on: 'socket', do: 'cut', times: random.pick([1, 'every'] as const) } as const,
  ],
  'cuts sockets': (random: Random) => [
    {
      on: 'socket',
      do: 'cut',
      after: { messages: random.between(1, 20) },
      times: random.between(1, 3),
    } as const,
  ],
  'is deaf': () => [{ on: 'socket', do: 'mute', after: { messages: 1 } } as const],
  'loses answers to submissions': (random: Random) => [
    {
      ...submission,
      ...{ do: 'answer', status: random.pick([500, 502, 504, 524]), body: 'no', commit: true },
      nth: random.between(1, 3),
    } as const,
  ],
  'cuts answers to submissions': (random: Random) => [
    { ...submission, do: 'commit-then-cut', nth: random.between(1, 3) } as const,
  ],
  'loses submissions': (random: Random) => [
    { on: 'http', route: 'POST /prompt', do: 'cut', phase: 'before', nth: random.between(1, 3) } as const,
  ],
  'answers submissions late': (random: Random) => [
    { ...submission, do: 'delay', ms: random.between(50, 400), times: random.between(1, 3) } as const,
  ],
  'swallows the end': () => [message('execution_success', 0.8), message('executing', 0.3)],
  'swallows outputs': () => [message('executed', 0.7)],
  'swallows news of the queue': () => [message('status', 0.8)],
  'records late': (random: Random) => [
    { on: 'job', do: 'history-lag', ms: random.between(1, 10), times: 'every' } as const,
  ],
  'fails to list': (random: Random) => [
    { on: 'rest', route: 'GET /queue', do: 'answer', status: 500, times: random.between(1, 2) } as const,
    {
      on: 'rest',
      route: 'GET /history/{id}',
      do: 'answer',
      status: 502,
      times: random.between(1, 2),
    } as const,
  ],
} satisfies Record<string, (random: Random) => readonly Fault[]>;

const troubleNames = Object.keys(troubles) as Trouble[];
