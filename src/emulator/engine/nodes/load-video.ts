import { define, instant } from '../define.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import { videoOfFile } from '../codecs/video-file.js';

/** Takes an uploaded video, which is decoded when a node wants its pictures. */
export const loadVideo: NodeClass = {
  definition: ({ inputs }) =>
    define({
      ...{ name: 'LoadVideo', title: 'Load Video', pythonModule: 'comfy_extras.nodes_video' },
      ...{ category: 'image/video', style: 'new' },
      required: {
        file: [
          'COMBO',
          { multiselect: false, options: inputs.filter((name) => isVideo.test(name)), video_upload: true },
        ],
      },
      outputs: [{ type: 'VIDEO' }],
    }),
  validate: ({ file }, files) =>
    typeof file === 'string' && files.exists(file) ? undefined : `Invalid video file: ${String(file)}`,
  execute: instant((inputs, context) => {
    const name = read.text(inputs, 'file');
    return { values: [videoOfFile(context, context.load(name) ?? new Uint8Array(), name)] };
  }),
};

/** The names that are listed. */
const isVideo = /\.(?:avi|flv|m4v|mkv|mov|mp4|mpe?g|webm|wmv)$/iu;
