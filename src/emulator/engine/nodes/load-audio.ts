import type { Audio } from '../values.js';
import { decodeFlac } from '../files/decode-flac.js';
import { decodeSound } from '../codecs/sound.js';
import { decodeWav } from '../files/wav.js';
import { define, type NodeDescription } from '../define.js';
import type { NodeClass, NodeContext } from '../node-class.js';
import { read } from '../read.js';

/** The sound of an uploaded file: FLAC and 16-bit WAV by the emulator itself, anything else by ffmpeg. */
const soundOf = async (name: string, context: NodeContext): Promise<Audio> => {
  const file = context.load(name) ?? new Uint8Array();
  return decodeWav(file) ?? decodeFlac(file) ?? decodeSound(context, file, name);
};

const common = { pythonModule: 'comfy_extras.nodes_audio', category: 'audio' } as const;

const loader = (describe: (inputs: readonly string[]) => NodeDescription): NodeClass => ({
  definition: ({ inputs }) => define({ ...describe(inputs), outputs: [{ type: 'AUDIO' }] }),
  execute: async (inputs, context) => ({
    values: [await soundOf(read.text(inputs, 'audio'), context)],
  }),
});

/** Loads an uploaded sound. */
export const loadAudio: NodeClass = {
  ...loader((inputs) => ({
    ...{ ...common, name: 'LoadAudio' },
    required: { audio: [inputs, { audio_upload: true }] },
  })),
  validate: ({ audio }, files) =>
    typeof audio === 'string' && files.exists(audio) ? undefined : `Invalid audio file: ${String(audio)}`,
};

/** Loads the sound that the editor has recorded and uploaded before the job. */
export const recordAudio: NodeClass = loader(() => ({
  ...{ ...common, name: 'RecordAudio', title: 'Record Audio' },
  required: { audio: ['AUDIO_RECORD', {}] },
}));
