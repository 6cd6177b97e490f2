import { copiedVideo } from '../codecs/video-file.js';
import { define, instant } from '../define.js';
import { encodeMp4 } from '../files/mp4.js';
import { fileMetadata } from './save.js';
import type { NodeClass, NodeContext, Picture } from '../node-class.js';
import { read } from '../read.js';
import { resize } from '../resize.js';
import type { Video, VideoParts } from '../values.js';

/** Makes a video of a batch of pictures, and of sound. */
export const createVideo: NodeClass = {
  definition: () => createVideoDefinition,
  execute: instant((inputs) => {
    const hasSound = inputs['audio'] !== undefined && inputs['audio'] !== null;
    const parts: VideoParts = {
      ...{ frames: read.images(inputs, 'images'), framesPerSecond: read.number(inputs, 'fps') },
      ...(hasSound && { audio: read.audio(inputs, 'audio') }),
    };
    return { values: [{ kind: 'VIDEO', parts: () => Promise.resolve(parts) } satisfies Video] };
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
export const getVideoComponents: NodeClass = {
  definition: () => getVideoComponentsDefinition,
  execute: async (inputs) => {
    const { frames, audio, framesPerSecond } = await read.video(inputs, 'video').parts();
    return { values: [frames, audio ?? null, framesPerSecond] };
  },
};

const getVideoComponentsDefinition = define({
  ...{ name: 'GetVideoComponents', title: 'Get Video Components', style: 'new' },
  description: 'Takes a video apart: its pictures, its sound and how many pictures it shows a second.',
  ...{ pythonModule: 'comfy_extras.nodes_video', category: 'image/video' },
  required: { video: ['VIDEO', { tooltip: 'The video to take apart.' }] },
  outputs: [
    { type: 'IMAGE', name: 'images' },
    { type: 'AUDIO', name: 'audio' },
    { type: 'FLOAT', name: 'fps' },
  ],
});

/**
 * Saves a video as an MP4 file: one of a file with its streams as they are, one of pictures (of more than 64 frames, the first 64)
 * with at most 256 pixels an edge and without sound.
 */
export const saveVideo: NodeClass = {
  definition: () => saveVideoDefinition,
  execute: async (inputs, context) => {
    const { file, parts } = read.video(inputs, 'video');
    const wanted = { format: read.text(inputs, 'format', 'auto'), codec: read.text(inputs, 'codec', 'auto') };
    const copy = file && (await copiedVideo(context, file, wanted, fileMetadata(context)));
    const bytes = copy ?? (await encoded(await parts(), context));
    const prefix = read.text(inputs, 'filename_prefix', 'video/ComfyUI');
    return { values: [], ui: { video: [context.save({ bytes, extension: 'mp4', prefix, type: 'output' })] } };
  },
};

const encoded = async (
  { frames, framesPerSecond }: VideoParts,
  context: NodeContext,
): Promise<Uint8Array> => {
  const pictures = frames.slice(0, 64);
  const size = frameSize(pictures[0] ?? { width: 16, height: 16 });
  const resized: Picture[] = [];
  for (const picture of pictures) {
    resized.push(
      picture.width === size.width && picture.height === size.height ? picture : resize(picture, size),
    );
    await context.step(resized.length, pictures.length);
  }
  return encodeMp4(resized, { framesPerSecond, text: fileMetadata(context) });
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
