import { claimMemory } from '../define.js';
import { decodeSound } from './sound.js';
import { failDecoding, failEncoding } from './codec-failure.js';
import { fromTexts, textsFile, textsName } from './texts-file.js';
import { once } from './once.js';
import { openable } from './openable.js';
import { type NodeContext, NodeFailure } from '../node-class.js';
import type { Video, VideoParts } from '../values.js';

type Programs = Pick<NodeContext, 'ffmpeg'>;

/** A video of a file, which is decoded when a node wants its parts; `name` is what errors call it. */
export const videoOfFile = (context: Programs, file: Uint8Array, name: string): Video => ({
  kind: 'VIDEO',
  parts: once(() => decoded(context, file, name)),
  file: { bytes: file, name },
});

const decoded = async (context: Programs, file: Uint8Array, name: string): Promise<VideoParts> => {
  const { codec, hasSound } = await probed(context, file, name);
  if (codec === undefined) throw noVideo(name);
  const { header, pixels } = await context
    .ffmpeg({
      reads: { input: file },
      from: [...openable, '-noautorotate', '-i', 'input'],
      makes: {
        header: ['-map', '0:v:0', '-frames:v', '1', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'],
        pixels: ['-map', '0:v:0', '-fps_mode', 'passthrough', '-pix_fmt', 'rgb24', '-f', 'rawvideo'],
      },
    })
    .catch(failDecoding(name));
  claimMemory(pixels.length / 3);
  const { width, height, framesPerSecond } = headerOf(header);
  const size = width * height * 3;
  const frames = Array.from({ length: Math.floor(pixels.length / size) }, (_, at) => ({
    ...{ width, height, rgb: pixels.subarray(at * size, (at + 1) * size) },
  }));
  return {
    ...{ frames, framesPerSecond },
    ...(hasSound && { audio: await decodeSound(context, file, name) }),
  };
};

const noVideo = (name: string): NodeFailure =>
  new NodeFailure('ValueError', `No video stream found in file '${name}'`);

/** What a file holds: the codec of its first video, and whether there is sound. */
const probed = async (
  { ffmpeg }: Programs,
  file: Uint8Array,
  name: string,
): Promise<{ readonly codec: string | undefined; readonly hasSound: boolean }> => {
  const first = ['-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy', '-frames', '1'];
  const { streams } = await ffmpeg({
    reads: { input: file },
    from: [...openable, '-i', 'input'],
    makes: { streams: [...first, '-f', 'framecrc'] },
  }).catch(failDecoding(name));
  const text = Buffer.from(streams).toString('latin1');
  const [, at] = /^#media_type (\d): video$/mu.exec(text) ?? [];
  const [, codec] = new RegExp(`^#codec_id ${at}: (\\w+)$`, 'mu').exec(text) ?? [];
  return { codec, hasSound: /^#media_type \d: audio$/mu.test(text) };
};

/** Size and pace of a video by the first line of a file of YUV4MPEG2. */
const headerOf = (
  file: Uint8Array,
): { readonly width: number; readonly height: number; readonly framesPerSecond: number } => {
  const [line = ''] = Buffer.from(file.subarray(0, 256)).toString('latin1').split('\n');
  const [, width, height, frames, seconds] = / W(\d+) H(\d+) F(\d+):(\d+)/u.exec(line) ?? [];
  return {
    width: Number(width),
    height: Number(height),
    framesPerSecond: Number(frames) / Math.max(1, Number(seconds)),
  };
};

/**
 * The file of a video in a new MP4 file with further texts, its streams as they are; undefined if the wanted codec or
 * container is another one.
 */
export const copiedVideo = async (
  context: Programs,
  { bytes, name }: NonNullable<Video['file']>,
  wanted: { readonly format: string; readonly codec: string },
  texts: Readonly<Record<string, string>>,
): Promise<Uint8Array | undefined> => {
  const { codec } = await probed(context, bytes, name);
  if (codec === undefined) throw noVideo(name);
  if (wanted.codec !== 'auto' && wanted.codec !== codec) return undefined;
  if (wanted.format !== 'auto' && Buffer.from(bytes.subarray(4, 8)).toString('latin1') !== 'ftyp')
    return undefined;
  const { made } = await context
    .ffmpeg({
      reads: { input: bytes, [textsName]: textsFile(texts) },
      from: [...openable, '-i', 'input', ...fromTexts],
      makes: {
        made: [
          ...['-map', '0:v', '-map', '0:a?', '-c', 'copy', '-movflags', 'use_metadata_tags'],
          // Where both have a text, the one of the first stands.
          ...['-map_metadata', '1', '-map_metadata', '0', '-f', 'mp4'],
        ],
      },
    })
    .catch(failEncoding(codec));
  return made;
};
