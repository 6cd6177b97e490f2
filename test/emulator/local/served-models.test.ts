import { describe, expect, it } from 'vitest';
import { listenLocal, openLocal, post, record } from './support.js';
import { call } from '../support.js';
import type { Emulator } from '../../../src/emulator.js';
import { encodePng } from '../../../src/emulator/engine/files/png.js';
import { testPicture } from '../engine/run-node.js';

const node = (class_type: string, inputs: Readonly<Record<string, unknown>> = {}) => ({ class_type, inputs });

/** Both texts of node `pair`, under these names. */
const ofPair = (positive = 'positive', negative = 'negative', pair = 'pair') => ({
  [positive]: [pair, 0],
  [negative]: [pair, 1],
});

const sampling = {
  model: node('CheckpointLoaderSimple', { ckpt_name: 'scenery-v1.safetensors' }),
  cat: node('CLIPTextEncode', { text: 'a cat', clip: ['model', 1] }),
  rain: node('CLIPTextEncode', { text: 'rain', clip: ['model', 1] }),
  hook: node('CreateHookModelAsLora', {
    ...{ ckpt_name: 'scenery-v2.safetensors', strength_model: 1, strength_clip: 1 },
  }),
  frame: node('CreateHookKeyframe', { strength_mult: 0.5, start_percent: 0 }),
  frames: node('CreateHookKeyframesInterpolated', {
    ...{ strength_start: 0, strength_end: 1, interpolation: 'ease_in', start_percent: 0, end_percent: 1 },
    ...{ keyframes_count: 3, print_keyframes: false, prev_hook_kf: ['frame', 0] },
  }),
  timed: node('SetHookKeyframes', { hooks: ['hook', 0], hook_kf: ['frames', 0] }),
  two: node('CombineHooks2', { hooks_A: ['hook', 0], hooks_B: ['timed', 0] }),
  four: node('CombineHooks4', { hooks_A: ['two', 0] }),
  eight: node('CombineHooks8', { hooks_H: ['four', 0] }),
  range: node('ConditioningTimestepsRange', { start_percent: 0.1, end_percent: 0.9 }),
  tuned: node('ConditioningSetProperties', {
    ...{ cond_NEW: ['cat', 0], strength: 1, set_cond_area: 'default' },
    ...{ hooks: ['eight', 0], timesteps: ['range', 0] },
  }),
  more: node('ConditioningSetPropertiesAndCombine', {
    ...{ cond: ['tuned', 0], cond_NEW: ['cat', 0], strength: 1, set_cond_area: 'default' },
  }),
  usual: node('ConditioningSetDefaultCombine', { cond: ['more', 0], cond_DEFAULT: ['cat', 0] }),
  first: node('PairConditioningSetProperties', {
    ...{ positive_NEW: ['usual', 0], negative_NEW: ['rain', 0], strength: 1, set_cond_area: 'mask bounds' },
  }),
  second: node('PairConditioningSetPropertiesAndCombine', {
    ...{ ...ofPair('positive', 'negative', 'first'), positive_NEW: ['cat', 0], negative_NEW: ['rain', 0] },
    ...{ strength: 1, set_cond_area: 'default' },
  }),
  third: node('PairConditioningSetDefaultCombine', {
    ...ofPair('positive', 'negative', 'second'),
    ...{ positive_DEFAULT: ['cat', 0], negative_DEFAULT: ['rain', 0] },
  }),
  pair: node('PairConditioningCombine', {
    ...{ ...ofPair('positive_A', 'negative_A', 'third'), positive_B: ['cat', 0], negative_B: ['rain', 0] },
  }),
  noise: node('RandomNoise', { noise_seed: 7 }),
  guider: node('CFGGuider', { ...{ model: ['model', 0], ...ofPair() }, cfg: 7 }),
  sampler: node('KSamplerSelect', { sampler_name: 'euler' }),
  sigmas: node('BasicScheduler', { model: ['model', 0], scheduler: 'karras', steps: 3, denoise: 1 }),
  halves: node('SplitSigmas', { sigmas: ['sigmas', 0], step: 2 }),
  empty: node('EmptyLatentImage', { width: 32, height: 32, batch_size: 1 }),
  begun: node('SamplerCustomAdvanced', {
    ...{ noise: ['noise', 0], guider: ['guider', 0], sampler: ['sampler', 0], sigmas: ['halves', 0] },
    latent_image: ['empty', 0],
  }),
  silence: node('DisableNoise'),
  done: node('SamplerCustomAdvanced', {
    ...{ noise: ['silence', 0], guider: ['guider', 0], sampler: ['sampler', 0], sigmas: ['halves', 1] },
    latent_image: ['begun', 0],
  }),
  decoded: node('VAEDecode', { samples: ['done', 0], vae: ['model', 2] }),
  saved: node('SaveImage', { images: ['decoded', 0], filename_prefix: 'parts' }),
};

const run = async (prompt: Readonly<Record<string, unknown>>, given?: Emulator) => {
  const emulator = given ?? (await openLocal({ switches: { recordDelayMs: 0 } }));
  const listener = await listenLocal(emulator, 'me');
  const { body } = await post(emulator, prompt, 'me');
  expect(body['node_errors']).toEqual({});
  const promptId = String(body['prompt_id']);
  const end = await Promise.race([listener.until('execution_success'), listener.until('execution_error')]);
  expect(end).toMatchObject({ type: 'execution_success' });
  await listener.settle();
  const { outputs } = (await record(emulator, promptId)) as {
    outputs: Record<string, Record<string, readonly { filename: string; type: string; subfolder: string }[]>>;
  };
  return { emulator, listener, outputs };
};

describe('M11: workflows with classes that serve a model', () => {
  it('run to a picture by the parts of a sampler, with the steps of both halves and previews', async () => {
    const { listener, outputs } = await run(sampling);
    expect(outputs['saved']?.['images']).toHaveLength(1);
    const steps = listener.heard.filter(({ type }) => type === 'progress');
    expect(steps.map(({ data }) => [data['node'], data['value'], data['max']])).toEqual([
      ['begun', 1, 2],
      ['begun', 2, 2],
      ['done', 1, 1],
    ]);
    expect(listener.heard.filter(({ type }) => type === 'binary:1')).toHaveLength(3);
  });

  it('run to a sound, a model in space, a film and a graph of losses', async () => {
    const { emulator, outputs } = await run({
      model: node('CheckpointLoaderSimple', { ckpt_name: 'scenery-v1.safetensors' }),
      text: node('LotusConditioning'),
      silence: node('EmptyAceStepLatentAudio', { seconds: 1, batch_size: 1 }),
      sound: node('VAEDecodeAudio', { samples: ['silence', 0], vae: ['model', 2] }),
      audio: node('SaveAudio', { audio: ['sound', 0], filename_prefix: 'sound' }),
      stable: node('EmptyLatentAudio', { seconds: 1, batch_size: 1 }),
      kept: node('SaveLatent', { samples: ['stable', 0], filename_prefix: 'latents/sound' }),
      shape: node('EmptyLatentHunyuan3Dv2', { resolution: 32, batch_size: 2 }),
      voxels: node('VAEDecodeHunyuan3D', {
        ...{ samples: ['shape', 0], vae: ['model', 2], num_chunks: 8000, octree_resolution: 16 },
      }),
      mesh: node('VoxelToMesh', { voxel: ['voxels', 0], algorithm: 'surface net', threshold: 0.6 }),
      cubes: node('VoxelToMeshBasic', { voxel: ['voxels', 0], threshold: 0.6 }),
      smooth: node('SaveGLB', { mesh: ['mesh', 0], filename_prefix: '3d/smooth' }),
      rough: node('SaveGLB', { mesh: ['cubes', 0], filename_prefix: '3d/rough' }),
      camera: node('WanCameraEmbedding', { camera_pose: 'Static', width: 32, height: 32, length: 5 }),
      film: node('WanCameraImageToVideo', {
        ...{ positive: ['text', 0], negative: ['text', 0], vae: ['model', 2], batch_size: 1 },
        ...{ width: ['camera', 1], height: ['camera', 2], length: ['camera', 3] },
        camera_conditions: ['camera', 0],
      }),
      picture: node('EmptyImage', { width: 16, height: 16, batch_size: 1, color: 255 }),
      guided: node('LTXVAddGuide', {
        ...{ ...ofPair('positive', 'negative', 'film'), vae: ['model', 2], latent: ['film', 2] },
        ...{ image: ['picture', 0], frame_idx: 0, strength: 1 },
      }),
      cropped: node('LTXVCropGuides', { ...ofPair('positive', 'negative', 'guided'), latent: ['guided', 2] }),
      refined: node('HunyuanRefinerLatent', {
        ...{ ...ofPair('positive', 'negative', 'cropped'), latent: ['cropped', 2], noise_augmentation: 0.1 },
      }),
      frames: node('VAEDecode', { samples: ['refined', 2], vae: ['model', 2] }),
      shown: node('PreviewImage', { images: ['frames', 0] }),
      larger: node('SD_4XUpscale_Conditioning', {
        ...{ images: ['picture', 0], positive: ['text', 0], negative: ['text', 0] },
        ...{ scale_ratio: 2, noise_augmentation: 0 },
      }),
      trained: node('TrainLoraNode', {
        ...{ model: ['model', 0], latents: ['larger', 2], positive: ['larger', 0], steps: 3, seed: 1 },
        ...{ batch_size: 1, grad_accumulation_steps: 1, learning_rate: 0.0005, rank: 8 },
        ...{ optimizer: 'AdamW', loss_function: 'MSE', training_dtype: 'bf16', lora_dtype: 'bf16' },
        ...{ algorithm: 'LoRA', gradient_checkpointing: true, existing_lora: '[None]' },
      }),
      graph: node('LossGraphNode', { loss: ['trained', 2], filename_prefix: 'loss_graph' }),
    });
    const kinds = { audio: ['audio', 1], kept: ['latents', 1], smooth: ['3d', 2], rough: ['3d', 2] } as const;
    for (const [id, [key, count]] of Object.entries(kinds)) expect(outputs[id]?.[key]).toHaveLength(count);
    expect(outputs['shown']?.['images']).toHaveLength(5);
    const [graph] = outputs['graph']?.['images'] ?? [];
    expect(graph).toMatchObject({ type: 'temp', filename: expect.stringMatching(/^loss_graph/u) as string });
    const view = new URLSearchParams({ ...graph });
    expect((await call(emulator, 'GET', `/view?${String(view)}`)).status).toBe(200);
  });

  it('run with the pictures of a folder that was uploaded to', async () => {
    const emulator = await openLocal({ switches: { recordDelayMs: 0 } });
    for (const [at, name] of ['b.png', 'a.png'].entries()) {
      const form = new FormData();
      form.set('image', new File([new Uint8Array(encodePng(testPicture(8, 4, at)))], name));
      form.set('subfolder', 'set');
      expect((await call(emulator, 'POST', '/upload/image', form)).status).toBe(200);
    }
    const loaded = node('LoadImageSetFromFolderNode', { folder: 'set', resize_method: 'None' });
    const shown = node('PreviewImage', { images: ['loaded', 0] });
    const { outputs } = await run({ loaded, shown }, emulator);
    expect(outputs['shown']?.['images']).toHaveLength(2);
    const { body } = await post(emulator, {
      loaded: node('LoadImageSetFromFolderNode', { folder: 'none' }),
      shown,
    });
    expect(body['node_errors']).toMatchObject({ loaded: { errors: [{ type: 'value_not_in_list' }] } });
  });
});
