import { claimMemory } from '../define.js';
import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { pasted, plain } from '../picture-shapes.js';
import { type Inputs, read } from '../read.js';
import { resize } from '../resize.js';

const colours: Readonly<Record<string, readonly [number, number, number]>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
};

/** Joins two pictures at an edge; where their sizes stay, the smaller one has black above and below, or at its sides. */
const joined = (first: Picture, given: Picture, inputs: Inputs): Picture => {
  const direction = read.text(inputs, 'direction');
  const isAcross = direction === 'right' || direction === 'left';
  const ratio = given.width / given.height;
  const fitted = isAcross
    ? { width: Math.max(1, Math.trunc(first.height * ratio)), height: first.height }
    : { width: first.width, height: Math.max(1, Math.trunc(first.width / ratio)) };
  const second = read.flag(inputs, 'match_image_size', true)
    ? resize(given, { ...fitted, method: 'lanczos' })
    : given;
  const asked = read.number(inputs, 'spacing_width', 0);
  const gap = asked + (asked % 2);
  const width = isAcross ? first.width + gap + second.width : Math.max(first.width, second.width);
  const height = isAcross ? Math.max(first.height, second.height) : first.height + gap + second.height;
  claimMemory(width * height);
  const [one, other] = direction === 'right' || direction === 'down' ? [first, second] : [second, first];
  const inMiddle = (room: number, size: number): number => Math.floor((room - size) / 2);
  const canvas = plain(width, height, [0, 0, 0]);
  const colour = colours[read.text(inputs, 'spacing_color', 'white')] ?? [255, 255, 255];
  const space = isAcross ? plain(gap, height, colour) : plain(width, gap, colour);
  const at = (picture: Picture, from: number): readonly [number, number] =>
    isAcross ? [from, inMiddle(height, picture.height)] : [inMiddle(width, picture.width), from];
  const length = isAcross ? one.width : one.height;
  const withOne = pasted(canvas, one, ...at(one, 0));
  const withSpace = isAcross ? pasted(withOne, space, length, 0) : pasted(withOne, space, 0, length);
  return pasted(withSpace, other, ...at(other, length + gap));
};

/** Puts pictures beside one another; of the shorter batch the last one is repeated. */
export const imageStitch: NodeClass = nodeOf(
  {
    name: 'ImageStitch',
    title: 'Image Stitch',
    pythonModule: 'comfy_extras.nodes_images',
    category: 'image/transform',
    required: {
      image1: ['IMAGE'],
      direction: [['right', 'down', 'left', 'up'], { default: 'right' }],
      match_image_size: ['BOOLEAN', { default: true }],
      spacing_width: ['INT', { default: 0, min: 0, max: 1024, step: 2 }],
      spacing_color: [Object.keys(colours), { default: 'white' }],
    },
    optional: { image2: ['IMAGE'] },
    outputs: [{ type: 'IMAGE' }],
  },
  (inputs) => {
    const first = read.images(inputs, 'image1');
    if (inputs['image2'] === undefined || inputs['image2'] === null) return [first];
    const second = read.images(inputs, 'image2');
    const count = Math.max(first.length, second.length);
    const pairs = Array.from({ length: count }, (_, at) => [
      first[at] ?? first.at(-1),
      second[at] ?? second.at(-1),
    ]);
    return [pairs.flatMap(([one, other]) => (one && other ? [joined(one, other, inputs)] : []))];
  },
);
