import { describe, expect, it } from 'vitest';
import { durations } from '../../src/core/estimate/durations.js';
import { jobKey, learn, planOf } from '../../src/core/estimate/plan-of.js';
import { nodesToRun } from '../../src/core/state/initial-job-state.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

interface Sizes {
  readonly model?: string;
  readonly method?: string;
  readonly steps?: unknown;
  readonly side?: number;
  readonly batch?: number;
}

const picture = ({
  model = 'm',
  method = 'euler',
  steps = 20,
  side = 1000,
  batch = 1,
}: Sizes = {}): Workflow => ({
  load: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: model } },
  text: { class_type: 'CLIPTextEncode', inputs: { clip: ['load', 1], text: 'a' } },
  number: { class_type: 'PrimitiveInt', inputs: { value: 10 } },
  empty: { class_type: 'EmptyLatentImage', inputs: { width: side, height: side, batch_size: batch } },
  sample: {
    class_type: 'KSampler',
    inputs: {
      model: ['load', 0],
      positive: ['text', 0],
      latent_image: ['empty', 0],
      steps,
      sampler_name: method,
    },
  },
  decode: { class_type: 'VAEDecode', inputs: { samples: ['sample', 0], vae: ['load', 2] } },
  custom: { class_type: 'Unheard Of', inputs: { image: ['decode', 0] } },
  save: { class_type: 'SaveImage', inputs: { images: ['custom', 0] } },
});

const known = durations();
const plan = (workflow: Workflow, from = known) => {
  const { nodes, jobMs } = planOf(workflow, nodesToRun(workflow), from).plan;
  return { jobMs, ms: Object.fromEntries(nodes.map(({ nodeId, ms }) => [nodeId, ms])), nodes };
};
const sampled = (sizes: Sizes, from = known): number => plan(picture(sizes), from).ms['sample']!;

describe('planOf', () => {
  it('supposes that samplers cost by steps, pixels, pictures and method, and that numbers are instant', () => {
    expect(Object.keys(plan(picture()).ms).sort()).toEqual(['decode', 'load', 'sample', 'save', 'text']);
    const usual = sampled({});
    expect(sampled({ steps: 40 })).toBe(2 * usual);
    expect(sampled({ side: 500 })).toBeLessThan(usual / 4);
    expect(sampled({ side: 2000 })).toBeGreaterThan(4 * usual);
    expect(sampled({ side: 2000 })).toBeLessThan(6 * usual);
    expect(sampled({ batch: 3 })).toBeGreaterThan(3 * usual);
    expect(sampled({ method: 'heun' })).toBe(2 * usual);
  });

  it('takes steps from the node of a number that they are linked to', () => {
    expect(sampled({ steps: ['number', 0] })).toBe(sampled({ steps: 10 }));
    const { nodes } = plan(picture({ steps: ['number', 0] }));
    expect(nodes.find(({ nodeId }) => nodeId === 'sample')).toMatchObject({ steps: 10 });
  });

  it('takes frames for pictures, and what enlarges a picture for a larger one', () => {
    const video = {
      ...picture(),
      empty: { class_type: 'EmptyVideo', inputs: { width: 1000, height: 1000, length: 25 } },
    };
    expect(plan(video).ms['decode']).toBe(25 * plan(picture()).ms['decode']!);
    const large = {
      ...picture(),
      scaled: { class_type: 'LatentUpscaleBy', inputs: { samples: ['sample', 0], scale_by: 2 } },
      decode: { class_type: 'VAEDecode', inputs: { samples: ['scaled', 0], vae: ['load', 2] } },
    };
    expect(plan(large).ms['decode']).toBe(4 * plan(picture()).ms['decode']!);
  });

  it('knows what loads a model, and gives nodes of one class one number', () => {
    const twice = { ...picture(), custom: { class_type: 'KSampler', inputs: { a: ['decode', 0] } } };
    const { nodes } = plan(twice);
    expect(nodes.filter(({ loads }) => loads).map(({ nodeId }) => nodeId)).toEqual(['load']);
    const kindOf = (id: string) => nodes.find(({ nodeId }) => nodeId === id)!.kind;
    expect(kindOf('custom')).toBe(kindOf('sample'));
    expect(kindOf('decode')).not.toBe(kindOf('sample'));
  });

  it('goes by what was measured: of the same size, else by the size of the same models, else of the class', () => {
    const own = durations();
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    learn(own, measured.get('sample')!, { ms: 8_000, wholeMs: 9_000, steps: 20 });
    expect(sampled({}, own)).toBe(8_000);
    expect(sampled({ steps: 30 }, own)).toBe(12_000);
    expect(sampled({ steps: 30, model: 'other' }, own)).toBe(12_000);
    const spreads = [{}, { steps: 30 }, { steps: 30, model: 'other' }].map(
      (sizes) => plan(picture(sizes), own).nodes.find(({ nodeId }) => nodeId === 'sample')!.spread,
    );
    expect(spreads).toEqual([0.15, 0.25, 0.8]);
  });

  it('tells the first time that a model is loaded from the next ones', () => {
    const own = durations();
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    const load = measured.get('load')!;
    learn(own, load, { ms: 9_000, wholeMs: 9_000, steps: 0 });
    expect(plan(picture(), own).ms['load']).toBe(3_000);
    learn(own, load, { ms: 200, wholeMs: 200, steps: 0 });
    expect(plan(picture(), own).ms['load']).toBe(200);
    expect(plan(picture({ model: 'other' }), own).ms['load']).toBe(9_000);
  });

  it('keeps how often nodes of a class count their steps: of the same size, else of the class, nearer to once', () => {
    const own = durations();
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    const passesOf = (sizes: Sizes): number | undefined =>
      plan(picture(sizes), own).nodes.find(({ nodeId }) => nodeId === 'sample')!.passes;
    learn(own, measured.get('sample')!, { ms: 8_000, wholeMs: 9_000, steps: 20, passes: 1.1 });
    expect(passesOf({})).toBeUndefined();
    learn(own, measured.get('sample')!, { ms: 24_000, wholeMs: 25_000, steps: 20, passes: 3 });
    expect([passesOf({}), passesOf({ steps: 30 })]).toEqual([3, 2]);
    const other = planOf(picture({ steps: 30 }), nodesToRun(picture()), own).measured;
    learn(own, other.get('sample')!, { ms: 12_000, wholeMs: 13_000, steps: 30, passes: 1 });
    expect([passesOf({}), passesOf({ steps: 30 }), passesOf({ steps: 40 })]).toEqual([3, undefined, 2]);
  });

  it('goes by the size of a picture that is known by its name', () => {
    const enlarged: Workflow = {
      image: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      model: { class_type: 'UpscaleModelLoader', inputs: { model_name: '4x' } },
      large: {
        class_type: 'ImageUpscaleWithModel',
        inputs: { upscale_model: ['model', 0], image: ['image', 0] },
      },
      save: { class_type: 'SaveImage', inputs: { images: ['large', 0] } },
    };
    const of = (pictures: ReadonlyMap<string, number>) =>
      planOf(enlarged, nodesToRun(enlarged), durations(), pictures).plan.nodes.find(
        ({ nodeId }) => nodeId === 'large',
      )!;
    const unknown = of(new Map([['b.png', 4]]));
    expect(unknown.unsized).toBe(true);
    expect(of(new Map([['a.png', 4]]))).toEqual({
      ...{ nodeId: 'large', kind: unknown.kind, ms: 4 * unknown.ms, spread: unknown.spread },
    });
  });

  it('supposes nothing of unheard-of classes, and measures them and those that it supposes to be instant', () => {
    const own = durations();
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    learn(own, measured.get('custom')!, { ms: 700, wholeMs: 700, steps: 0 });
    learn(own, measured.get('text')!, { ms: 1_500, wholeMs: 1_500, steps: 0 });
    expect(plan(picture(), own).ms).toMatchObject({ custom: 700, text: 1_500 });
    const other = { ...picture(), custom: { class_type: 'Never Seen', inputs: { image: ['decode', 0] } } };
    expect(plan(other, own).ms).not.toHaveProperty('custom');
  });

  it('takes a machine that was slow for slow in classes that it has not run yet', () => {
    const own = durations();
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    const decode = plan(picture()).ms['decode']!;
    learn(own, measured.get('decode')!, { ms: 3 * decode, wholeMs: 3 * decode, steps: 0 });
    expect(sampled({}, own)).toBe(3 * sampled({}));
    expect(plan(picture(), own).ms['load']).toBe(plan(picture()).ms['load']);
  });

  it('knows a model behind a LoRA, and a picture as a picture, whatever model made it', () => {
    const own = durations();
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    learn(own, measured.get('sample')!, { ms: 8_000, wholeMs: 9_000, steps: 20 });
    learn(own, measured.get('custom')!, { ms: 5_000, wholeMs: 5_000, steps: 0 });
    const styled = (model: string): Workflow => {
      const { sample, ...others } = picture({ model });
      return {
        style: { class_type: 'LoraLoaderModelOnly', inputs: { model: ['load', 0], lora_name: 'ink' } },
        ...others,
        sample: { class_type: 'KSampler', inputs: { ...sample!.inputs, model: ['style', 0] } },
      };
    };
    expect(plan(styled('m'), own).nodes.find(({ nodeId }) => nodeId === 'sample')).toMatchObject({
      ms: 8_000,
      spread: 0.15,
    });
    expect(plan(styled('other'), own).nodes.find(({ nodeId }) => nodeId === 'custom')).toMatchObject({
      ms: 5_000,
      spread: 0.15,
    });
  });

  it('supposes that a model in parts is a large one, whose steps and texts take longer', () => {
    const inParts = {
      ...picture(),
      load: { class_type: 'UNETLoader', inputs: { unet_name: 'm' } },
      texts: { class_type: 'DualCLIPLoader', inputs: { clip_name1: 't' } },
      text: { class_type: 'CLIPTextEncode', inputs: { clip: ['texts', 0], text: 'a' } },
    };
    const { ms } = plan(inParts);
    expect(ms['sample']).toBeGreaterThan(2 * sampled({}));
    expect(ms['text']).toBeGreaterThan(0);
    expect(ms['decode']).toBe(plan(picture()).ms['decode']);
  });

  it('says which durations depend on a picture of unknown size', () => {
    const enlarged: Workflow = {
      photo: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      enlarge: { class_type: 'ImageUpscaleWithModel', inputs: { image: ['photo', 0] } },
      save: { class_type: 'SaveImage', inputs: { images: ['enlarge', 0] } },
    };
    const { nodes, ms } = plan(enlarged);
    expect(nodes.every(({ unsized }) => unsized === true)).toBe(true);
    expect(ms['save']).toBe(16 * plan(picture()).ms['save']!);
    expect(plan(picture()).nodes.some(({ unsized }) => unsized)).toBe(false);
  });

  it('names no steps of a sampler whose class has run without reporting any', () => {
    const own = durations();
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    const stepsOf = () => plan(picture(), own).nodes.find(({ nodeId }) => nodeId === 'sample')!.steps;
    expect(stepsOf()).toBe(20);
    learn(own, measured.get('sample')!, { ms: 8_000, wholeMs: 8_000, steps: 0 });
    expect(stepsOf()).toBeUndefined();
    learn(own, measured.get('sample')!, { ms: 8_000, wholeMs: 8_000, steps: 20 });
    expect(stepsOf()).toBe(20);
  });

  it('adds up what is too short to be planned by itself, and supposes some milliseconds of each', () => {
    const own = durations();
    const many: Workflow = Object.fromEntries(
      Array.from({ length: 40 }, (_, id) => [String(id), { class_type: 'Small', inputs: {} }]),
    );
    expect(planOf(many, nodesToRun(many), own).plan).toEqual({ nodes: [], restMs: 200 });
    const { measured } = planOf(many, nodesToRun(many), own);
    learn(own, measured.get('0')!, { ms: 10, wholeMs: 10, steps: 0 });
    expect(planOf(many, nodesToRun(many), own).plan).toEqual({ nodes: [], restMs: 400 });
  });

  it('plans what is short by itself where it is most of a job', () => {
    const reduced: Workflow = {
      photo: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      smaller: { class_type: 'ImageScaleBy', inputs: { image: ['photo', 0], scale_by: 0.25 } },
      save: { class_type: 'SaveImage', inputs: { images: ['smaller', 0] } },
    };
    const { nodes, restMs } = planOf(reduced, nodesToRun(reduced), durations(), new Map([['a.png', 1]])).plan;
    expect(nodes.map(({ nodeId, ms }) => [nodeId, ms])).toEqual([['save', 13]]);
    expect(restMs).toBe(10);
  });

  it('takes a picture of unknown size that is reduced for a large one', () => {
    const of = (scale_by: number): number => {
      const scaled: Workflow = {
        photo: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
        scale: { class_type: 'ImageScaleBy', inputs: { image: ['photo', 0], scale_by } },
        save: { class_type: 'SaveImage', inputs: { images: ['scale', 0] } },
      };
      return plan(scaled).ms['save']!;
    };
    expect([of(0.5), of(2)]).toEqual([of(1), 4 * of(1)]);
  });

  it('expects a model to be moved to the card until it has sampled once', () => {
    const own = durations();
    const leadOf = () => plan(picture(), own).nodes.find(({ nodeId }) => nodeId === 'sample')!.leadMs;
    expect(leadOf()).toBeGreaterThan(0);
    const { measured } = planOf(picture(), nodesToRun(picture()), own);
    learn(own, measured.get('sample')!, { ms: 8_000, wholeMs: 9_000, steps: 20 });
    expect(leadOf()).toBeUndefined();
  });

  it('expects one face of the next picture, whatever one picture with three took', () => {
    const own = durations();
    const faces = (steps: number): Workflow => ({
      photo: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      faces: { class_type: 'FaceDetailer', inputs: { image: ['photo', 0], steps } },
    });
    const msOf = (steps: number): number => plan(faces(steps), own).ms['faces']!;
    const { measured } = planOf(faces(10), nodesToRun(faces(10)), own);
    for (const passes of [1, 1, 3, 1, 1])
      learn(own, measured.get('faces')!, {
        ms: passes * 10_000,
        wholeMs: passes * 10_000,
        steps: 10,
        passes,
      });
    expect(msOf(20)).toBeCloseTo(20_000, -2);
  });

  it('has the mean duration of earlier jobs', () => {
    const own = durations();
    own.add(jobKey, 30_000);
    expect(plan(picture(), own).jobMs).toBe(30_000);
    expect(plan(picture()).jobMs).toBeUndefined();
  });

  it('keeps no name of a model', () => {
    const own = durations();
    const { measured } = planOf(picture({ model: 'secret' }), ['load', 'sample'], own);
    for (const node of measured.values()) learn(own, node, { ms: 1, wholeMs: 1, steps: 2 });
    expect(own.text()).not.toContain('secret');
  });

  it('is quick and safe for a chain of ten thousand nodes, links to itself and inputs that are none', () => {
    const chain: Record<string, { class_type: string; inputs: Record<string, unknown> }> = {};
    for (let id = 0; id < 10_000; id += 1)
      chain[id] = { class_type: 'KSampler', inputs: { steps: 2, latent_image: [`${id + 1}`, 0] } };
    expect(plan(chain).nodes).toHaveLength(10_000);
    const odd = {
      a: { class_type: 'KSampler', inputs: { model: ['b', 0], steps: -3, width: Number.NaN } },
      b: { class_type: 'KSampler', inputs: { model: ['a', 0] } },
      c: { class_type: undefined, inputs: null },
      __proto__: null,
    } as unknown as Workflow;
    for (const { ms } of plan(odd).nodes) expect(ms).toBeGreaterThan(0);
  });
});
