import { customNode } from './custom-node.js';
import type { Family, Taste } from './machine.js';
import type { Random } from '../../simulation/random.js';
import type { Task, TrueNode } from './truth.js';

/** A generated graph, its nodes in the order in which they run. */
export interface Graph {
  readonly kind: string;
  readonly nodes: readonly TrueNode[];
  /** A picture that it loads. */
  readonly picture?: { readonly name: string; readonly mp: number } | undefined;
}

const nothing: Task = { is: 'nothing' };

/** Draws a graph of 3 to 200 nodes. */
export const drawGraph = (random: Random, taste: Taste): Graph => {
  const nodes: TrueNode[] = [];
  const add = (
    classType: string,
    inputs: TrueNode['inputs'],
    does: Task = nothing,
  ): readonly [string, number] => {
    const id = String(nodes.length + 1);
    nodes.push({ id, classType, inputs, does });
    return [id, 0];
  };
  if (random.chance(0.03)) return smallest(random);
  const kind = random.pick([
    'picture',
    'picture',
    'two passes',
    'many pictures',
    'enlarged',
    'enlargement',
    ...(taste.video ? ['video' as const, 'video' as const, 'video' as const] : []),
  ] as const);
  const picture = { name: `uploaded-${random.below(1e6)}.png`, mp: random.pick([0.25, 0.5, 1, 2]) };
  const end = kind === 'enlargement' ? enlargement(add, picture) : sampled(add, random, kind, taste);
  const wanted = random.chance(0.15) ? random.between(60, 200) : random.between(3, 30);
  const last = furnish(add, random, { ...end, taste, count: wanted - nodes.length - 1 });
  const { mp, pictures } = end;
  const writer = kind === 'video' ? random.pick(['SaveVideo', 'VHS_VideoCombine']) : 'SaveImage';
  add(
    writer,
    { images: last, filename_prefix: 'made' },
    { is: writer === 'VHS_VideoCombine' ? 'writing frames' : 'saving', mp, pictures },
  );
  return { kind, nodes, picture: kind === 'enlargement' ? picture : undefined };
};

/** One node between a picture and its file. */
const smallest = (random: Random): Graph => {
  const [classType, inputs, seconds] = random.pick([
    ['ImageScaleBy', { scale_by: 0.5, upscale_method: 'lanczos' }, 0],
    ['DWPreprocessor', { resolution: 512 }, 1],
    ['ReActorFaceSwap', { swap_model: 'inswapper_128.onnx' }, 3],
  ] as const);
  return {
    kind: 'smallest',
    nodes: [
      { id: '1', classType: 'LoadImage', inputs: { image: 'uploaded.png' }, does: nothing },
      {
        id: '2',
        classType,
        inputs: { image: ['1', 0], ...inputs },
        does: seconds > 0 ? { is: 'custom', seconds } : nothing,
      },
      {
        id: '3',
        classType: 'SaveImage',
        inputs: { images: ['2', 0] },
        does: { is: 'saving', mp: 1, pictures: 1 },
      },
    ],
  };
};

type Add = (classType: string, inputs: TrueNode['inputs'], does?: Task) => readonly [string, number];

/** A picture or several, where a graph has them. */
interface Made {
  readonly link: readonly [string, number];
  readonly mp: number;
  readonly pictures: number;
}

/** Enlarges a picture that was uploaded. */
const enlargement = (add: Add, { name, mp }: NonNullable<Graph['picture']>): Made => {
  const image = add('LoadImage', { image: name });
  return enlarged(add, { link: image, mp, pictures: 1 });
};

const enlarged = (add: Add, { link, mp, pictures }: Made): Made => {
  const model = add('UpscaleModelLoader', { model_name: '4x.pth' }, { is: 'loading', mb: 67 });
  const large = add(
    'ImageUpscaleWithModel',
    { upscale_model: model, image: link },
    { is: 'enlarging', mp, pictures },
  );
  return { link: add('ImageScaleBy', { image: large, scale_by: 0.5 }), mp: mp * 4, pictures };
};

const sampled = (add: Add, random: Random, kind: string, taste: Taste): Made => {
  const isVideo = kind === 'video';
  const family = (isVideo ? taste.video : undefined) ?? random.pick(taste.families);
  const models = loaded(add, family, random);
  const positive = add('CLIPTextEncode', { clip: models.clip, text: 'a' }, { is: 'encoding a text', family });
  const negative = add('CLIPTextEncode', { clip: models.clip, text: 'b' }, { is: 'encoding a text', family });
  const side = isVideo ? random.pick([480, 576, 720]) : random.pick([512, 768, 1024]);
  const width = isVideo ? Math.round(side * 1.5) : side;
  const mp = (width * side) / 1e6;
  const pictures = isVideo ? random.pick([25, 49, 81]) : kind === 'many pictures' ? random.between(2, 8) : 1;
  const size = { width, height: side };
  const latent = isVideo
    ? add('EmptyHunyuanLatentVideo', { ...size, length: pictures, batch_size: 1 })
    : add('EmptyLatentImage', { ...size, batch_size: pictures });
  const sample = (
    samples: readonly [string, number],
    task: { readonly mp: number; readonly denoise: number },
  ) => {
    const steps = random.between(8, 40);
    const method = random.pick(['euler', 'euler', 'dpmpp_2m', 'heun']);
    const evaluations = method === 'heun' ? 2 : 1;
    const inputs = {
      model: models.model,
      positive,
      negative,
      latent_image: samples,
      steps,
      cfg: 7,
      denoise: task.denoise,
      seed: 1,
      sampler_name: method,
    };
    return add('KSampler', inputs, { is: 'sampling', family, steps, mp: task.mp, pictures, evaluations });
  };
  let samples = sample(latent, { mp, denoise: 1 });
  let last = mp;
  if (kind === 'two passes') {
    last = mp * 2.25;
    const scaled = add('LatentUpscaleBy', { samples, scale_by: 1.5, upscale_method: 'nearest-exact' });
    samples = sample(scaled, { mp: last, denoise: random.pick([0.4, 0.6]) });
  }
  const link = add('VAEDecode', { samples, vae: models.vae }, { is: 'decoding', family, mp: last, pictures });
  const made = { link, mp: last, pictures };
  if (kind === 'enlarged') return enlarged(add, made);
  if (!isVideo || !random.chance(0.4)) return made;
  const smooth = add('RIFE VFI', { frames: link, multiplier: 2 }, { is: 'custom', seconds: 0.08 * pictures });
  return { link: smooth, mp: last, pictures: pictures * 2 };
};

const loaded = (add: Add, family: Family, random: Random) => {
  const inParts = family.encoderMb > 0;
  const name = `${family.name}.safetensors`;
  const whole = inParts
    ? add('UNETLoader', { unet_name: name }, { is: 'loading', mb: family.mb })
    : add('CheckpointLoaderSimple', { ckpt_name: name }, { is: 'loading', mb: family.mb });
  const clip: readonly [string, number] = inParts
    ? add('CLIPLoader', { clip_name: `${family.name}-text` }, { is: 'loading', mb: family.encoderMb })
    : [whole[0], 1];
  const vae: readonly [string, number] = inParts
    ? add('VAELoader', { vae_name: `${family.name}-vae` }, { is: 'loading', mb: family.vaeMb })
    : [whole[0], 2];
  const model = random.chance(0.3)
    ? add(
        'LoraLoaderModelOnly',
        { model: whole, lora_name: `style-${random.below(3)}` },
        { is: 'loading', mb: 220 },
      )
    : whole;
  return { model, clip, vae };
};

const furniture = [
  'ImageSharpen',
  'ImageInvert',
  'ImageBlend',
  'PrimitiveInt',
  'StringConcatenate',
  'easy imageSize',
  'MaskPreview+',
];

/** Adds nodes of other packages, most of which take no time. */
const furnish = (
  add: Add,
  random: Random,
  { link, count, taste }: Pick<Made, 'link'> & { readonly count: number; readonly taste: Taste },
): readonly [string, number] => {
  const costly = count > 0 && random.chance(0.4) ? random.below(count) : -1;
  let last = link;
  for (let added = 0; added < count; added += 1) {
    if (added === costly) {
      const { classType, inputs, does } = customNode(random, random.pick(taste.costly), taste.families[0]!);
      last = add(classType, { image: last, ...inputs }, does);
    } else last = add(random.pick(furniture), { image: last });
  }
  return last;
};
