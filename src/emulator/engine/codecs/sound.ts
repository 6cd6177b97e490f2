import type { Audio } from '../values.js';
import { decodeWav } from '../files/wav.js';
import { FfmpegError } from './ffmpeg.js';
import { failDecoding, failEncoding } from './codec-failure.js';
import { fromTexts, textsFile, textsName } from './texts-file.js';
import { openable } from './openable.js';
import type { NodeContext } from '../node-class.js';

/** How a sound is encoded: the encoder, its options, the kind of file, and the samples a second. */
export interface SoundFormat {
  readonly encoder: string;
  readonly options: readonly string[];
  readonly extension: 'mp3' | 'opus';
  readonly sampleRate: number;
}

/** Encodes a sound of one or two channels, with texts. */
export const encodeSound = async (
  { ffmpeg }: Pick<NodeContext, 'ffmpeg'>,
  sound: Audio,
  { encoder, options, extension, sampleRate }: SoundFormat,
  texts: Readonly<Record<string, string>>,
): Promise<Uint8Array> => {
  const raw = ['-f', 'f32le', '-ar', String(sound.sampleRate), '-ac', String(sound.channels.length)];
  const { made } = await ffmpeg({
    reads: { 'sound.f32': interleaved(sound), [textsName]: textsFile(texts) },
    from: [...raw, '-i', 'sound.f32', ...fromTexts],
    makes: {
      made: [
        ...['-map', '0:a', '-map_metadata', '1', '-c:a', encoder, ...options],
        ...['-ar', String(sampleRate), '-ac', sound.channels.length === 1 ? '1' : '2', '-f', extension],
      ],
    },
  }).catch(failEncoding(encoder));
  return made;
};

/** Decodes the first sound of a file, to 16 bits a sample; `name` is what errors call it. */
export const decodeSound = async (
  { ffmpeg }: Pick<NodeContext, 'ffmpeg'>,
  file: Uint8Array,
  name: string,
): Promise<Audio> => {
  const { made } = await ffmpeg({
    reads: { input: file },
    from: [...openable, '-i', 'input'],
    makes: { made: ['-map', '0:a:0', '-c:a', 'pcm_s16le', '-f', 'wav'] },
  }).catch(failDecoding(name));
  return decodeWav(made) ?? failDecoding(name)(new FfmpegError('failed', 'no sound'));
};

/** Sample after sample, each of all channels. */
const interleaved = ({ channels }: Audio): Uint8Array => {
  const length = channels[0]?.length ?? 0;
  const samples = new Float32Array(length * channels.length);
  for (const [channel, track] of channels.entries())
    for (let at = 0; at < length; at += 1) samples[at * channels.length + channel] = track[at] ?? 0;
  return new Uint8Array(samples.buffer);
};
