import { define, instant } from '../define.js';
import { encodeMp4 } from '../files/mp4.js';
import { fileMetadata } from './save.js';
import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { read } from '../read.js';
import { resize } from '../resize.js';
import type { Video } from '../values.js';

/** Makes a video of a batch of pictures, and of sound. */
export const createVideo: NodeClass = {
  definition: () => createVideoDefinition,
  execute: instant((inputs) => {
    const frames = read.images(inputs, 'images');
    const hasSound = inputs['audio'] !== undefined && inputs['audio'] !== null;
    const video: Video = {
      ...{ kind: 'VIDEO', frames, framesPerSecond: read.number(inputs, 'fps') },
      ...(hasSound && { audio: read.audio(inputs, 'audio') }),
    };
    return { values: [video] };
  }),
};

const createVideoDefinition = define({
  name: 'CreateVideo',
  pythonModule: 'comfy_extras.nodes_video',
  title: 'Create Video',
  category: 'image/video',
  style: 'new',
  required: { images: ['IMAGE'], fps: ['FLOAT', { default: 30, min: 1, max: 120, step: 1 }] },
  optional: { audio: ['AUDIO'] },
  outputs: [{ type: 'VIDEO' }],
});

/** Takes a video apart; the sound of a silent one is null. */
export const getVideoComponents: NodeClass = nodeOf(
  {
    ...{ name: 'GetVideoComponents', title: 'Get Video Components', style: 'new' },
    description: 'Takes a video apart: its pictures, its sound and how many pictures it shows a second.',
    ...{ pythonModule: 'comfy_extras.nodes_video', category: 'image/video' },
    required: { video: ['VIDEO', { tooltip: 'The video to take apart.' }] },
    outputs: [
      { type: 'IMAGE', name: 'images' },
      { type: 'AUDIO', name: 'audio' },
      { type: 'FLOAT', name: 'fps' },
    ],
  },
  (inputs) => {
    const { frames, audio, framesPerSecond } = read.video(inputs, 'video');
    return [frames, audio ?? null, framesPerSecond];
  },
);

/** Saves a video (of more than 64 frames, the first 64) as an MP4 file of at most 256 pixels an edge, without sound. */
export const saveVideo: NodeClass = {
  definition: () => saveVideoDefinition,
  execute: async (inputs, context) => {
    const video = read.video(inputs, 'video');
    const pictures = video.frames.slice(0, 64);
    const size = frameSize(pictures[0] ?? { width: 16, height: 16 });
    const frames: Picture[] = [];
    for (const picture of pictures) {
      frames.push(
        picture.width === size.width && picture.height === size.height ? picture : resize(picture, size),
      );
      await context.step(frames.length, pictures.length);
    }
    const bytes = encodeMp4(frames, {
      framesPerSecond: video.framesPerSecond,
      text: fileMetadata(context),
    });
    const prefix = read.text(inputs, 'filename_prefix', 'video/ComfyUI');
    return { values: [], ui: { video: [context.save({ bytes, extension: 'mp4', prefix, type: 'output' })] } };
  },
};

/** Even numbers, since two by two pixels share a colour. */
const frameSize = ({
  width,
  height,
}: Pick<Picture, 'width' | 'height'>): { readonly width: number; readonly height: number } => {
  const scale = Math.min(1, 256 / Math.max(width, height));
  const even = (edge: number): number => Math.max(2, Math.round((edge * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
};

const saveVideoDefinition = define({
  name: 'SaveVideo',
  pythonModule: 'comfy_extras.nodes_video',
  title: 'Save Video',
  category: 'image/video',
  style: 'new',
  required: {
    video: ['VIDEO'],
    filename_prefix: ['STRING', { default: 'video/ComfyUI', multiline: false }],
    format: ['COMBO', { default: 'auto', multiselect: false, options: ['auto', 'mp4'] }],
    codec: ['COMBO', { default: 'auto', multiselect: false, options: ['auto', 'h264'] }],
  },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});
