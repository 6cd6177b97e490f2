import { define } from '../define.js';
import { type Inputs, read } from '../read.js';
import { loadImage } from './load.js';
import { type NodeClass, type NodeContext, NodeFailure, type Value } from '../node-class.js';
import { videoOfFile } from '../codecs/video-file.js';

/** What the editor's view of a model uploads before the job, by the name of a member. */
interface View {
  readonly pictures: readonly ('normal' | 'lineart')[];
  readonly models: RegExp;
}

/** A class that takes the pictures, the camera and the film that the editor's view of a 3D model has uploaded. */
const load3dOf = (name: string, title: string, type: string, { pictures, models }: View): NodeClass => ({
  definition: ({ inputs }) =>
    define({
      ...{ name, title, pythonModule: 'comfy_extras.nodes_load_3d', category: '3d' },
      required: {
        model_file: [
          inputs.filter((file) => file.startsWith('3d/') && models.test(file)),
          { file_upload: true },
        ],
        image: [type, {}],
        width: edge,
        height: edge,
      },
      outputs: [
        { type: 'IMAGE', name: 'image' },
        { type: 'MASK', name: 'mask' },
        { type: 'STRING', name: 'mesh_path' },
        ...pictures.map((picture) => ({ type: 'IMAGE', name: picture })),
        { type: 'LOAD3D_CAMERA', name: 'camera_info' },
        { type: 'VIDEO', name: 'recording_video' },
      ],
      flags: { experimental: true },
    }),
  execute: async (inputs, context) => {
    const view = membersOf(inputs);
    const [image] = await pictureOf(view, 'image', context);
    const [, mask] = await pictureOf(view, 'mask', context);
    const others: Value[] = [];
    for (const name of pictures) others.push(...(await pictureOf(view, name, context)).slice(0, 1));
    const path = read.text(inputs, 'model_file');
    return {
      values: [image, mask, path, ...others, view['camera_info'] ?? null, recordingOf(view, context)],
    };
  },
});

const edge = ['INT', { default: 1024, min: 1, max: 4096, step: 1 }] as const;

const membersOf = (inputs: Inputs): Inputs => {
  const view = inputs['image'];
  if (typeof view === 'object' && view !== null) return view as Inputs;
  throw new NodeFailure('TypeError', 'string indices must be integers');
};

const pictureOf = async (view: Inputs, member: string, context: NodeContext): Promise<readonly Value[]> =>
  (await loadImage.execute({ image: read.text(view, member) }, context)).values;

const recordingOf = (view: Inputs, context: NodeContext): Value => {
  const name = read.text(view, 'recording');
  return name === '' ? null : videoOfFile(context, context.load(name) ?? new Uint8Array(), name);
};

/** The engine's classes that take the editor's view of a 3D model. */
export const load3d: readonly NodeClass[] = [
  load3dOf('Load3D', 'Load 3D', 'LOAD_3D', {
    ...{ pictures: ['normal', 'lineart'], models: /\.(?:gltf|glb|obj|fbx|stl)$/iu },
  }),
  load3dOf('Load3DAnimation', 'Load 3D - Animation', 'LOAD_3D_ANIMATION', {
    ...{ pictures: ['normal'], models: /\.(?:gltf|glb|fbx)$/iu },
  }),
];
