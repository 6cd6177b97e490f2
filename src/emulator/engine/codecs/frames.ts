import { failDecoding, failEncoding } from './codec-failure.js';
import { fromTexts, textsFile, textsName } from './texts-file.js';
import type { ImageBatch } from '../values.js';
import type { NodeContext, Picture } from '../node-class.js';

type Programs = Pick<NodeContext, 'ffmpeg'>;

/** How {@link encodeWebm} encodes. */
export interface WebmFormat {
  readonly codec: 'vp9' | 'av1';
  readonly framesPerSecond: number;
  /** 0 to 63: the higher, the smaller the file. */
  readonly crf: number;
}

/** Encodes pictures of one size as a WebM file with texts. */
export const encodeWebm = async (
  { ffmpeg }: Programs,
  frames: ImageBatch,
  { codec, framesPerSecond, crf }: WebmFormat,
  texts: Readonly<Record<string, string>>,
): Promise<Uint8Array> => {
  const { encoder, options } = encoders[codec];
  const { made } = await ffmpeg({
    reads: { 'frames.rgb': Buffer.concat(frames.map(({ rgb }) => rgb)), [textsName]: textsFile(texts) },
    from: [...rawFrames(frames[0], Math.round(framesPerSecond * 1000)), ...fromTexts],
    makes: {
      made: [
        ...['-map', '0:v', '-map_metadata', '1', '-c:v', encoder, ...options],
        ...['-b:v', '0', '-crf', String(crf), '-f', 'webm'],
      ],
    },
  }).catch(failEncoding(encoder));
  return made;
};

const encoders: Readonly<
  Record<WebmFormat['codec'], { readonly encoder: string; readonly options: readonly string[] }>
> = {
  vp9: { encoder: 'libvpx-vp9', options: ['-pix_fmt', 'yuv420p'] },
  av1: { encoder: 'libsvtav1', options: ['-pix_fmt', 'yuv420p10le', '-preset', '6'] },
};

/** A picture of even width and height as it looks once H.264 has compressed it; the higher `crf`, the worse. */
export const throughH264 = async ({ ffmpeg }: Programs, picture: Picture, crf: number): Promise<Picture> => {
  const { video } = await ffmpeg({
    reads: { 'frames.rgb': picture.rgb },
    from: rawFrames(picture, 1000),
    makes: {
      video: [
        ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'veryfast', '-threads', '1'],
        ...['-crf', String(crf), '-f', 'mp4'],
      ],
    },
  }).catch(failEncoding('libx264'));
  const { rgb } = await ffmpeg({
    reads: { video },
    from: ['-i', 'video'],
    makes: { rgb: ['-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo'] },
  }).catch(failDecoding('video'));
  return { width: picture.width, height: picture.height, rgb };
};

const rawFrames = (picture: Picture | undefined, framesInThousandSeconds: number): readonly string[] => [
  ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${picture?.width}x${picture?.height}`],
  ...['-r', `${framesInThousandSeconds}/1000`, '-i', 'frames.rgb'],
];
