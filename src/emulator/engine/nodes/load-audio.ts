import { decodeFlac } from '../files/decode-flac.js';
import { decodeWav } from '../files/wav.js';
import { define, instant } from '../define.js';
import { type NodeClass, NodeFailure } from '../node-class.js';
import { read } from '../read.js';

/** Loads an uploaded sound: a FLAC file, or a WAV file with 16-bit PCM samples. */
export const loadAudio: NodeClass = {
  definition: ({ inputs }) =>
    define({
      ...{ name: 'LoadAudio', pythonModule: 'comfy_extras.nodes_audio', category: 'audio' },
      required: { audio: [inputs, { audio_upload: true }] },
      outputs: [{ type: 'AUDIO' }],
    }),
  validate: ({ audio }, files) =>
    typeof audio === 'string' && files.exists(audio) ? undefined : `Invalid audio file: ${String(audio)}`,
  execute: instant((inputs, context) => {
    const name = read.text(inputs, 'audio');
    const file = context.load(name) ?? new Uint8Array();
    const sound = decodeWav(file) ?? decodeFlac(file);
    if (sound === undefined)
      throw new NodeFailure(
        'av.error.InvalidDataError',
        `[Errno 1094995529] Invalid data found when processing input: '${name}'`,
      );
    return { values: [sound] };
  }),
};
