import { define, type NodeDescription } from '../define.js';
import { encodeSound, type SoundFormat } from '../codecs/sound.js';
import { fileMetadata } from './save.js';
import { type Inputs, read } from '../read.js';
import type { NodeClass } from '../node-class.js';

/** A class that saves a sound by an encoder of ffmpeg. */
const soundSaver = (
  { name, title, qualities, usual }: SoundSaver,
  formatOf: (quality: string, sampleRate: number) => SoundFormat,
): NodeClass => {
  const definition = define({
    ...{ name, title, pythonModule: 'comfy_extras.nodes_audio', category: 'audio' },
    required: {
      audio: ['AUDIO'],
      filename_prefix: ['STRING', { default: 'audio/ComfyUI' }],
      quality: [qualities, { default: usual }],
    },
    hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
    outputNode: true,
  });
  return {
    definition: () => definition,
    execute: async (inputs: Inputs, context) => {
      const sound = read.audio(inputs, 'audio');
      const format = formatOf(read.text(inputs, 'quality'), sound.sampleRate);
      const prefix = read.text(inputs, 'filename_prefix', 'audio/ComfyUI');
      const bytes = await encodeSound(context, sound, format, fileMetadata(context));
      const file = context.save({ bytes, extension: format.extension, prefix, type: 'output' });
      return { values: [], ui: { audio: [file] } };
    },
  };
};

type SoundSaver = Required<Pick<NodeDescription, 'name' | 'title'>> & {
  readonly qualities: readonly string[];
  readonly usual: string;
};

/** The rates that Opus has; a sound of another one gets the next higher, above them the highest. */
const opusRates = [8_000, 12_000, 16_000, 24_000, 48_000];

/** The engine's classes that save sounds in formats that lose some of it. */
export const saveSounds: readonly NodeClass[] = [
  soundSaver(
    {
      ...{ name: 'SaveAudioMP3', title: 'Save Audio (MP3)' },
      ...{ qualities: ['V0', '128k', '320k'], usual: 'V0' },
    },
    (quality, sampleRate) => ({
      ...{ encoder: 'libmp3lame', extension: 'mp3', sampleRate },
      options: quality === 'V0' ? ['-q:a', '0'] : ['-b:a', quality],
    }),
  ),
  soundSaver(
    {
      ...{ name: 'SaveAudioOpus', title: 'Save Audio (Opus)' },
      ...{ qualities: ['64k', '96k', '128k', '192k', '320k'], usual: '128k' },
    },
    (quality, sampleRate) => ({
      ...{ encoder: 'libopus', extension: 'opus', options: ['-b:a', quality] },
      sampleRate: opusRates.find((rate) => rate >= sampleRate) ?? 48_000,
    }),
  ),
];
