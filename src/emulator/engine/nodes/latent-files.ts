import { decodeSafetensors, encodeSafetensors, type Tensor, type Tensors } from '../files/safetensors.js';
import { define, instant } from '../define.js';
import { fileMetadata } from './save.js';
import type { Latent } from '../values.js';
import { latentOfTensor, tensorOfForm } from '../latent-form.js';
import { type NodeClass, NodeFailure } from '../node-class.js';
import { read } from '../read.js';

const format = 'latent_format_version_0';
/** The emulator's own text of the file: the size of the picture, which the engine knows by the tensor's alone. */
const sizeKey = 'promptwire_size';
/** What the latent is of, where that is no picture: an engine's tensor does not say it. */
const typeKey = 'promptwire_type';

/** Saves a latent as a safetensors file: three planes, red, green and blue, around 0, where an engine has those of its model. */
const saveLatent: NodeClass = {
  definition: () => saveLatentDefinition,
  execute: instant((inputs, context) => {
    const latent = read.latent(inputs, 'samples');
    const prefix = read.text(inputs, 'filename_prefix', 'latents/ComfyUI');
    const metadata = {
      ...{ ...fileMetadata(context), [sizeKey]: `${latent.width}x${latent.height}` },
      ...(latent.form && { [typeKey]: latent.form.type }),
    };
    const bytes = encodeSafetensors({ tensors: tensorsOf(latent), metadata });
    const file = context.save({ bytes, extension: 'latent', prefix, type: 'output' });
    return { values: [], ui: { latents: [file] } };
  }),
};

const saveLatentDefinition = define({
  name: 'SaveLatent',
  category: '_for_testing',
  required: { samples: ['LATENT'], filename_prefix: ['STRING', { default: 'latents/ComfyUI' }] },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});

/** Loads a latent that was uploaded, as the emulator or an engine has saved it. */
const loadLatent: NodeClass = {
  definition: ({ inputs }) =>
    define({
      name: 'LoadLatent',
      category: '_for_testing',
      required: { latent: [inputs.filter((name) => name.endsWith('.latent'))] },
      outputs: [{ type: 'LATENT' }],
    }),
  validate: ({ latent }, files) =>
    typeof latent === 'string' && files.exists(latent) ? undefined : `Invalid latent file: ${String(latent)}`,
  execute: instant((inputs, context) => {
    const name = read.text(inputs, 'latent');
    const bytes = context.load(name);
    if (bytes === undefined)
      throw new NodeFailure('FileNotFoundError', `No such file or directory: input/${name}`);
    const latent = latentOf(decodeSafetensors(bytes));
    if (latent === undefined)
      throw new NodeFailure('safetensors_rust.SafetensorError', 'Error while deserializing header');
    return { values: [latent] };
  }),
};

const tensorsOf = (latent: Latent): Tensors['tensors'] => {
  const { grid, samples, form } = latent;
  const { width, height } = grid;
  const version = { shape: [0], values: new Float32Array(0) };
  if (form) return { latent_tensor: tensorOfForm(latent, form, toLatent), [format]: version };
  const plane = width * height;
  const values = new Float32Array(samples.length * 3 * plane);
  for (const [at, sample] of samples.entries())
    for (let place = 0; place < sample.length; place += 1)
      values[(at * 3 + (place % 3)) * plane + Math.floor(place / 3)] = toLatent(sample[place] ?? 0);
  return {
    latent_tensor: { shape: [samples.length, 3, height, width], values },
    [format]: version,
  };
};

/** The first three planes stand for red, green and blue; without the emulator's text, eight pixels an edge for one of the tensor. */
const latentOf = (file: Tensors | undefined): Latent | undefined => {
  const tensor = file?.tensors['latent_tensor'];
  if (file === undefined || tensor === undefined) return undefined;
  if (tensor.shape.length < 3 || tensor.shape.reduce((one, other) => one * other) !== tensor.values.length)
    return undefined;
  const scale = file.tensors[format] === undefined ? 1 / 0.18215 : 1;
  const type = file.metadata[typeKey] === 'hunyuan3dv2' ? 'hunyuan3dv2' : 'audio';
  if (file.metadata[typeKey] !== undefined || tensor.shape.length === 3)
    return latentOfTensor(tensor, type, (value) => ofLatent(value * scale));
  return latentOfPictures(tensor, file, scale);
};

const latentOfPictures = (tensor: Tensor, { metadata }: Tensors, scale: number): Latent => {
  const [count = 0, planes = 0, height = 0, width = 0] = tensor.shape;
  const samples = samplesOf(tensor.values, { count, planes, plane: width * height }, scale);
  const [wide = width * 8, high = height * 8] = metadata[sizeKey]?.split('x').map(Number) ?? [];
  return { kind: 'LATENT', width: wide, height: high, grid: { width, height }, samples };
};

/** The red, green and blue of each sample, from planes one after the other. */
const samplesOf = (
  values: Float32Array,
  { count, planes, plane }: { readonly count: number; readonly planes: number; readonly plane: number },
  scale: number,
): readonly Float32Array[] =>
  Array.from({ length: count }, (_, at) =>
    Float32Array.from({ length: plane * 3 }, (_, place) => {
      const channel = Math.min(place % 3, planes - 1);
      return ofLatent((values[(at * planes + channel) * plane + Math.floor(place / 3)] ?? 0) * scale);
    }),
  );

const toLatent = (value: number): number => (value - 127.5) / 32;
const ofLatent = (value: number): number => value * 32 + 127.5;

/** The engine's classes that keep latents in files. */
export const latentFiles: readonly NodeClass[] = [saveLatent, loadLatent];
