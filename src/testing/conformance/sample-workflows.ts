import { randomInt } from 'node:crypto';

/** One node of a workflow in API format. */
interface WorkflowNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly title?: string };
}

/** A workflow in API format. */
export type Workflow = Readonly<Record<string, WorkflowNode>>;

/** The workflows that the suite runs; a service with other node classes brings its own. */
export interface SampleWorkflows {
  /**
   * A small text-to-image graph, new with each call, that shows all there is: sampler steps with previews, a saved
   * picture (node `save`), a preview picture (`preview`), a text (`text`), a video (`video`) and a sound (`audio`).
   */
  readonly everything: () => Workflow;
  /**
   * The same down to the saved picture alone, in the usual classes. The wrong inputs of chapter 9 are put into its
   * nodes `model`, `sampler`, `decode` and `save`.
   */
  readonly picture: () => Workflow;
  /** Runs until it is cancelled, or at least for some seconds. */
  readonly long: () => Workflow;
  /** Fails in its node `fail` with this exception type, after the node `before` has shown something. */
  readonly failing: (exceptionType: string) => Workflow;
  /** Blocks the branch of its output node `bad`; that of `good` shows something. */
  readonly blocked: () => Workflow;
  /** Needs the partner key. */
  readonly partner: () => Workflow;
  /** Loads an uploaded picture and saves it. */
  readonly load: (name: string) => Workflow;
}

/** The workflows in the usual node classes, for a service that has this checkpoint. */
export const standardWorkflows = (checkpoint: string): SampleWorkflows => ({
  everything: () => ({
    ...pictureGraph(checkpoint),
    preview: node('PreviewImage', { images: ['decode', 0] }),
    text: node('PreviewText', { source: ['decode', 0] }),
    clip: node('CreateVideo', { images: ['decode', 0], fps: 8 }),
    video: node('SaveVideo', {
      video: ['clip', 0],
      filename_prefix: 'video/clip',
      format: 'auto',
      codec: 'auto',
    }),
    tone: node('EmptyAudio', { duration: 0.1, sample_rate: 44_100, channels: 1 }),
    audio: node('SaveAudio', { audio: ['tone', 0], filename_prefix: 'audio/tone' }),
  }),
  picture: () => pictureGraph(checkpoint),
  long: () => ({ slow: node('SlowNode', { steps: 100_000 - randomInt(10_000) }) }),
  failing: (exceptionType) => ({
    before: node('SlowNode', { steps: 2 }),
    fail: node('FailOnPurpose', {
      exception_type: exceptionType,
      message: 'as asked for',
      image: ['before', 0],
    }),
  }),
  blocked: () => ({
    good: node('PreviewText', { source: `nothing is in the way of this, ${freshSeed()}` }),
    block: node('BlockBranch', { anything: freshSeed(), message: 'not today' }),
    bad: node('PreviewText', { source: ['block', 0] }),
  }),
  partner: () => ({
    make: node('PartnerImageNode', { prompt: 'a lighthouse', seed: freshSeed() }),
    save: node('SaveImage', { images: ['make', 0], filename_prefix: 'partner' }),
  }),
  load: (name) => ({
    load: node('LoadImage', { image: name }),
    save: node('SaveImage', { images: ['load', 0], filename_prefix: 'loaded' }),
  }),
});

const pictureGraph = (checkpoint: string): Workflow => ({
  model: node('CheckpointLoaderSimple', { ckpt_name: checkpoint }),
  positive: node('CLIPTextEncode', { clip: ['model', 1], text: 'a lighthouse at dusk' }),
  negative: node('CLIPTextEncode', { clip: ['model', 1], text: 'fog' }),
  empty: node('EmptyLatentImage', { width: 64, height: 64, batch_size: 1 }),
  sampler: {
    ...node('KSampler', {
      seed: freshSeed(),
      steps: 4,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['model', 0],
      positive: ['positive', 0],
      negative: ['negative', 0],
      latent_image: ['empty', 0],
    }),
    _meta: { title: 'Sampler' },
  },
  decode: node('VAEDecode', { samples: ['sampler', 0], vae: ['model', 2] }),
  save: node('SaveImage', { images: ['decode', 0], filename_prefix: 'conformance' }),
});

const node = (classType: string, inputs: WorkflowNode['inputs']): WorkflowNode => ({
  class_type: classType,
  inputs,
});

/** Seeds are drawn by lot so that a service that caches runs the graph anew. */
const freshSeed = (): number => randomInt(2 ** 31 - 1);
