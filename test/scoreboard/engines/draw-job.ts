import type { Random } from '../../simulation/random.js';
import type { SocketPictures } from './socket-pictures.js';
import { textToImageWorkflow } from '../../../src/emulator.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** What a job makes, or why a service takes none of it. */
export type JobKind = keyof typeof workflows;

/** A job of the client. */
export interface ServiceJob {
  readonly index: number;
  readonly kind: JobKind;
  readonly workflow: Workflow;
  readonly via: 'run' | 'submit';
  /** When it is cancelled, if it is. */
  readonly cancels?: 'once accepted' | 'once it runs';
  /** What it sends over the socket alone, if it does. */
  readonly socketPictures?: SocketPictures | undefined;
}

/** Every text of a workflow is of one job of one service, so that none comes from a cache unless it is meant to. */
export const drawJob = (random: Random, seed: number, index: number): ServiceJob => {
  const kind = random.pick(kinds);
  return {
    index,
    kind,
    workflow: workflows[kind](random, `service ${seed}, job ${index}`),
    via: random.pick(['run', 'submit'] as const),
    ...(random.chance(0.25) && { cancels: random.pick(['once accepted', 'once it runs'] as const) }),
  };
};

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
  'a model': (random: Random, name: string) => ({
    ...slow(random, name),
    2: { class_type: 'SaveGLB', inputs: { mesh: ['1', 0], filename_prefix: '3d/x' } },
    3: { class_type: 'Preview3DAdvanced', inputs: { mesh: ['1', 0] } },
    4: { class_type: 'Preview3D', inputs: { model_file: '3d/x_00001_.glb' } },
  }),
  'a file of text': (_: Random, name: string) => ({
    1: { class_type: 'SaveText', inputs: { text: name, filename_prefix: 'text/x' } },
  }),
  'an animation': (random: Random, name: string) => ({
    1: {
      class_type: 'EmptyImage',
      inputs: { width: 16, height: 16, batch_size: random.between(1, 3), color: random.below(0xffffff) },
    },
    2: {
      class_type: 'SaveAnimatedPNG',
      inputs: { images: ['1', 0], filename_prefix: name, fps: 6, compress_level: 4 },
    },
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
