import { NodeFailure, type Picture, type Value } from './node-class.js';
import type {
  Audio,
  Conditioning,
  ImageBatch,
  Latent,
  LatentOperation,
  Mask,
  ModelPart,
  Sigmas,
  Svg,
  Video,
} from './values.js';

/** The inputs of one run of a node. */
export type Inputs = Readonly<Record<string, Value>>;

/**
 * Readers of a node's inputs, by what the node expects there.
 *
 * Literals are coerced as validation does it. A value of another kind ends the job with a Python-like `TypeError`, an
 * absent one with a `KeyError`, unless a fallback is given.
 */
export const read = {
  number: (inputs: Inputs, name: string, fallback?: number): number => {
    const number = Number(valueOf(inputs, name, fallback));
    return Number.isNaN(number) ? mismatch(name, 'number') : number;
  },
  text: (inputs: Inputs, name: string, fallback?: string): string => {
    const value = valueOf(inputs, name, fallback);
    return typeof value === 'string' ? value : isScalar(value) ? String(value) : mismatch(name, 'STRING');
  },
  flag: (inputs: Inputs, name: string, fallback?: boolean): boolean =>
    Boolean(valueOf(inputs, name, fallback)),
  /** A 64-bit seed with all digits that the workflow's parser left; the largest one may have been rounded up. */
  seed: (inputs: Inputs, name: string): bigint => {
    const value = valueOf(inputs, name);
    if (typeof value === 'bigint') return BigInt.asUintN(64, value);
    if (typeof value === 'string' && /^\d+$/.test(value)) return BigInt.asUintN(64, BigInt(value));
    const number = Number(value);
    if (!Number.isFinite(number)) return mismatch(name, 'INT');
    return number >= 2 ** 64 ? largestSeed : BigInt.asUintN(64, BigInt(Math.trunc(number)));
  },
  images: (inputs: Inputs, name: string): ImageBatch => {
    const value = valueOf(inputs, name);
    return isImages(value) ? value : mismatch(name, 'IMAGE');
  },
  mask: (inputs: Inputs, name: string): Mask => tagged<Mask>(inputs, name, 'MASK'),
  latent: (inputs: Inputs, name: string): Latent => tagged<Latent>(inputs, name, 'LATENT'),
  operation: (inputs: Inputs, name: string): LatentOperation =>
    tagged<LatentOperation>(inputs, name, 'LATENT_OPERATION'),
  sigmas: (inputs: Inputs, name: string): Sigmas => tagged<Sigmas>(inputs, name, 'SIGMAS'),
  conditioning: (inputs: Inputs, name: string): Conditioning =>
    tagged<Conditioning>(inputs, name, 'CONDITIONING'),
  audio: (inputs: Inputs, name: string): Audio => tagged<Audio>(inputs, name, 'AUDIO'),
  video: (inputs: Inputs, name: string): Video => tagged<Video>(inputs, name, 'VIDEO'),
  svg: (inputs: Inputs, name: string): Svg => tagged<Svg>(inputs, name, 'SVG'),
  part: (inputs: Inputs, name: string, kind: ModelPart['kind']): ModelPart =>
    tagged<ModelPart>(inputs, name, kind),
  /** The members of a dynamic input, whether they come nested or under flat dotted keys. */
  group: (inputs: Inputs, name: string): Inputs => {
    const nested = inputs[name];
    const flat = Object.entries(inputs).flatMap(([key, value]): [string, Value][] =>
      key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), value]] : [],
    );
    return { ...(typeof nested === 'object' && nested !== null ? nested : {}), ...Object.fromEntries(flat) };
  },
} as const;

/** Says whether a value is a batch of pictures. */
export const isImages = (value: Value): value is ImageBatch =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isObject(item) && (item as Partial<Picture>).rgb instanceof Uint8Array);

/** Says whether an optional input has a value. */
export const isGiven = (inputs: Inputs, name: string): boolean =>
  inputs[name] !== undefined && inputs[name] !== null;

const largestSeed = 2n ** 64n - 1n;

const valueOf = (inputs: Inputs, name: string, fallback?: Value): Value => {
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  const found = value ?? fallback;
  if (found === undefined) throw new NodeFailure('KeyError', `'${name}'`);
  return found;
};

/** Reads a value of a family by its kind, as {@link read} reads those of all families. */
export const tagged = <T extends { readonly kind: string }>(
  inputs: Inputs,
  name: string,
  kind: T['kind'],
): T => {
  const value = valueOf(inputs, name);
  return isObject(value) && (value as Partial<T>).kind === kind ? (value as T) : mismatch(name, kind);
};

const mismatch = (name: string, expected: string): never => {
  throw new NodeFailure('TypeError', `input '${name}' is not a ${expected}`);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isScalar = (value: unknown): value is string | number | bigint | boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
