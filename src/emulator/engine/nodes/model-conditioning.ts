import { claimMemory } from '../define.js';
import { emptyLatent, type Latent } from '../values.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { type Inputs, isGiven, read, tagged } from '../read.js';
import { nodeOf, pixels } from './node-of.js';

const text: InputSpec = ['CONDITIONING', {}];
const both = { positive: text, negative: text } as const;
const bothAndLatent = [
  { type: 'CONDITIONING', name: 'positive' },
  { type: 'CONDITIONING', name: 'negative' },
  { type: 'LATENT', name: 'latent' },
] as const;

/** Both texts as they are, and the latent that a sampler begins from. */
const withLatent = (inputs: Inputs, latent: Latent): readonly unknown[] => [
  read.conditioning(inputs, 'positive'),
  read.conditioning(inputs, 'negative'),
  latent,
];

const empty = (width: number, height: number, count: number): Latent => {
  claimMemory(width * height * count);
  return emptyLatent(width, height, count);
};

/** The value of an output of type `WAN_CAMERA_EMBEDDING`: how a camera moves through a film. */
interface Camera {
  readonly kind: 'WAN_CAMERA_EMBEDDING';
  readonly pose: string;
  readonly speed: number;
  readonly frames: number;
}

const film = {
  ...{ width: pixels(832, 16, 16), height: pixels(480, 16, 16) },
  length: ['INT', { default: 81, min: 1, max: 16_384, step: 4 }],
} as const;

const unit = (usual: number, step: number): InputSpec => ['FLOAT', { default: usual, min: 0, max: 1, step }];

/** The frames of a film of four for each step of its latent. */
const framesOf = (inputs: Inputs): number => Math.floor((read.number(inputs, 'length') - 1) / 4) * 4 + 1;

/** The engine's classes that tell one kind of model more than a text. */
export const modelConditionings: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ name: 'LotusConditioning', pythonModule: 'comfy_extras.nodes_lotus', style: 'new' },
      category: 'conditioning/lotus',
      outputs: [{ type: 'CONDITIONING', name: 'conditioning' }],
    },
    // Its model takes the same numbers for every picture, which are of no text.
    () => [{ kind: 'CONDITIONING', text: '' }],
  ),
  nodeOf(
    {
      ...{ name: 'SD_4XUpscale_Conditioning', pythonModule: 'comfy_extras.nodes_sdupscale', style: 'new' },
      category: 'conditioning/upscale_diffusion',
      required: {
        ...{ images: ['IMAGE', {}], ...both },
        scale_ratio: ['FLOAT', { default: 4, min: 0, max: 10, step: 0.01 }],
        noise_augmentation: ['FLOAT', { default: 0, min: 0, max: 1, step: 0.001 }],
      },
      outputs: bothAndLatent,
    },
    (inputs) => {
      const pictures = read.images(inputs, 'images');
      const scale = read.number(inputs, 'scale_ratio');
      // One of its latent stands for four pixels an edge.
      const edge = (length: number | undefined): number =>
        Math.max(4, Math.floor(Math.max(1, Math.round((length ?? 0) * scale)) / 4) * 4);
      const [first] = pictures;
      return withLatent(inputs, empty(edge(first?.width), edge(first?.height), pictures.length));
    },
  ),
  nodeOf(
    {
      ...{ name: 'HunyuanRefinerLatent', pythonModule: 'comfy_extras.nodes_hunyuan', category: 'sd' },
      required: {
        ...{ positive: ['CONDITIONING'], negative: ['CONDITIONING'], latent: ['LATENT'] },
        noise_augmentation: ['FLOAT', { default: 0.1, min: 0, max: 1, step: 0.01 }],
      },
      outputs: bothAndLatent,
    },
    (inputs) => {
      const { width, height, samples } = read.latent(inputs, 'latent');
      return withLatent(inputs, empty(width, height, samples.length));
    },
  ),
  nodeOf(
    {
      ...{ name: 'WanCameraEmbedding', pythonModule: 'comfy_extras.nodes_camera_trajectory', style: 'new' },
      category: 'camera',
      required: {
        camera_pose: [
          'COMBO',
          {
            ...{ default: 'Static', multiselect: false },
            options: [
              ...['Static', 'Pan Up', 'Pan Down', 'Pan Left', 'Pan Right', 'Zoom In', 'Zoom Out'],
              ...['Anti Clockwise (ACW)', 'ClockWise (CW)'],
            ],
          },
        ],
        ...film,
      },
      optional: {
        speed: ['FLOAT', { default: 1, min: 0, max: 10, step: 0.1 }],
        ...{ fx: unit(0.5, 1e-9), fy: unit(0.5, 1e-9), cx: unit(0.5, 0.01), cy: unit(0.5, 0.01) },
      },
      outputs: [
        { type: 'WAN_CAMERA_EMBEDDING', name: 'camera_embedding' },
        { type: 'INT', name: 'width' },
        { type: 'INT', name: 'height' },
        { type: 'INT', name: 'length' },
      ],
    },
    (inputs) => {
      const camera: Camera = {
        kind: 'WAN_CAMERA_EMBEDDING',
        pose: read.text(inputs, 'camera_pose'),
        speed: read.number(inputs, 'speed', 1),
        frames: read.number(inputs, 'length'),
      };
      return [camera, read.number(inputs, 'width'), read.number(inputs, 'height'), camera.frames];
    },
  ),
  nodeOf(
    {
      ...{ name: 'WanCameraImageToVideo', pythonModule: 'comfy_extras.nodes_wan', style: 'new' },
      category: 'conditioning/video_models',
      required: {
        ...{ ...both, vae: ['VAE', {}], ...film },
        batch_size: ['INT', { default: 1, min: 1, max: 4096 }],
      },
      optional: {
        ...{ clip_vision_output: ['CLIP_VISION_OUTPUT', {}], start_image: ['IMAGE', {}] },
        camera_conditions: ['WAN_CAMERA_EMBEDDING', {}],
      },
      outputs: bothAndLatent,
    },
    (inputs) => {
      read.part(inputs, 'vae', 'VAE');
      if (isGiven(inputs, 'camera_conditions'))
        tagged<Camera>(inputs, 'camera_conditions', 'WAN_CAMERA_EMBEDDING');
      const count = framesOf(inputs) * read.number(inputs, 'batch_size');
      return withLatent(inputs, empty(read.number(inputs, 'width'), read.number(inputs, 'height'), count));
    },
  ),
];
