import { fittedMask } from '../mask-shapes.js';
import type { Mask } from '../values.js';
import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { type Inputs, read } from '../read.js';
import { resize } from '../resize.js';

/** A value of one channel, times its opacity, and that opacity; both from 0 to 1. */
interface Layer {
  readonly colour: number;
  readonly alpha: number;
}

type Mode = (source: Layer, destination: Layer) => Layer;

/** How opaque two layers are together, where neither takes anything from the other. */
const united = (s: Layer, d: Layer): number => s.alpha + d.alpha - s.alpha * d.alpha;

/** Both where they are alone, and what is made of them where they meet. */
const meeting =
  (mix: (s: Layer, d: Layer) => number): Mode =>
  (s, d) => ({
    colour: (1 - d.alpha) * s.colour + (1 - s.alpha) * d.colour + mix(s, d),
    alpha: united(s, d),
  });

/** A share of each layer, which follows from the opacity of the other one. */
const shares =
  (ofSource: (d: number) => number, ofDestination: (s: number) => number): Mode =>
  (s, d) => ({
    colour: ofSource(d.alpha) * s.colour + ofDestination(s.alpha) * d.colour,
    alpha: ofSource(d.alpha) * s.alpha + ofDestination(s.alpha) * d.alpha,
  });

const all = (): number => 1;
const none = (): number => 0;
const inside = (other: number): number => other;
const outside = (other: number): number => 1 - other;

const overlay: Mode = (s, d) => ({
  colour:
    2 * d.colour < d.alpha
      ? 2 * s.colour * d.colour
      : s.alpha * d.alpha - 2 * (d.alpha - s.colour) * (s.alpha - d.colour),
  alpha: united(s, d),
});

/** The compositing operators by the engine's names, in the engine's order. */
const modes: Readonly<Record<string, Mode>> = {
  ADD: (s, d) => ({
    colour: Math.min(1, s.colour + d.colour),
    alpha: Math.min(1, s.alpha + d.alpha),
  }),
  CLEAR: shares(none, none),
  DARKEN: meeting((s, d) => Math.min(s.colour, d.colour)),
  DST: shares(none, all),
  DST_ATOP: shares(outside, inside),
  DST_IN: shares(none, inside),
  DST_OUT: shares(none, outside),
  DST_OVER: shares(outside, all),
  LIGHTEN: meeting((s, d) => Math.max(s.colour, d.colour)),
  MULTIPLY: (s, d) => ({ colour: s.colour * d.colour, alpha: s.alpha * d.alpha }),
  OVERLAY: overlay,
  SCREEN: (s, d) => ({ colour: s.colour + d.colour - s.colour * d.colour, alpha: united(s, d) }),
  SRC: shares(all, none),
  SRC_ATOP: shares(inside, outside),
  SRC_IN: shares(inside, none),
  SRC_OUT: shares(outside, none),
  SRC_OVER: shares(all, outside),
  XOR: shares(outside, outside),
};

const toByte = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 255);

/** Masks hold where a layer is transparent; colours go in and come out without their opacity. */
const composed = (inputs: Inputs): readonly [readonly Picture[], Mask] => {
  const [given] = read.images(inputs, 'source');
  const [under] = read.images(inputs, 'destination');
  if (given === undefined || under === undefined) throw new RangeError('a batch has no picture');
  const { width, height } = under;
  const fits = given.width === width && given.height === height;
  const over = fits ? given : resize(given, { width, height, method: 'bicubic', crop: 'center' });
  const transparent = (name: string): Uint8Array =>
    fittedMask(read.mask(inputs, name), width, height, 'center');
  const [sourceHoles, destinationHoles] = [transparent('source_alpha'), transparent('destination_alpha')];
  const mode = modes[read.text(inputs, 'mode')] ?? shares(none, all);
  const rgb = new Uint8Array(under.rgb.length);
  const bytes = new Uint8Array(width * height);
  const layer = (picture: Picture, at: number, hole: number): Layer => {
    const alpha = 1 - hole / 255;
    return { colour: ((picture.rgb[at] ?? 0) / 255) * alpha, alpha };
  };
  for (let at = 0; at < rgb.length; at += 1) {
    const pixel = Math.floor(at / 3);
    const made = mode(
      layer(over, at, sourceHoles[pixel] ?? 0),
      layer(under, at, destinationHoles[pixel] ?? 0),
    );
    rgb[at] = made.alpha > 1e-5 ? toByte(made.colour / made.alpha) : 0;
    bytes[pixel] = toByte(1 - made.alpha);
  }
  return [[{ width, height, rgb }], { kind: 'MASK', width, height, bytes }];
};

/**
 * Puts a picture with transparency on another one, by one of eighteen operators.
 *
 * It answers as many pictures as the shortest of its four inputs has, and a mask of the emulator is of one picture.
 */
export const porterDuff: NodeClass = nodeOf(
  {
    name: 'PorterDuffImageComposite',
    title: 'Porter-Duff Image Composite',
    pythonModule: 'comfy_extras.nodes_compositing',
    style: 'new',
    category: 'mask/compositing',
    required: {
      ...{ source: ['IMAGE', {}], source_alpha: ['MASK', {}] },
      ...{ destination: ['IMAGE', {}], destination_alpha: ['MASK', {}] },
      mode: ['COMBO', { default: 'DST', multiselect: false, options: Object.keys(modes) }],
    },
    outputs: [{ type: 'IMAGE' }, { type: 'MASK' }],
  },
  composed,
);
