import { define, instant } from '../define.js';
import type { FileDescriptor, NodeClass, NodeContext, NodeResult } from '../node-class.js';
import { createHash } from 'node:crypto';
import { encodeGlb } from '../files/glb.js';
import { fileMetadata } from './save.js';
import { isMesh } from './shapes.js';
import { read } from '../read.js';

/** Saves a 3D model: a file under `3d`, which newer engines name by a text under `result` as well. */
export const saveGlb: NodeClass = {
  definition: () => saveGlbDefinition,
  execute: instant((inputs, context) => {
    const prefix = read.text(inputs, 'filename_prefix', '3d/ComfyUI');
    const files = filesOf(inputs['mesh'], context).map((bytes) =>
      context.save({ bytes, extension: 'glb', prefix, type: 'output' }),
    );
    const listed = context.modelOutputs === 'listed' ? files.slice(0, 1) : [];
    const result = listed.flatMap((file) => [pathOf(file), camera, []]);
    return { values: [], ui: { '3d': files, ...(result.length > 0 && { result }) } };
  }),
};

const saveGlbDefinition = define({
  name: 'SaveGLB',
  pythonModule: 'comfy_extras.nodes_hunyuan3d',
  category: '3d',
  required: { mesh: ['*', {}], filename_prefix: ['STRING', { default: '3d/ComfyUI' }] },
  outputNode: true,
});

/** Shows a model by the path of its file, with a camera and a background: texts and objects in one list. */
export const preview3d: NodeClass = {
  definition: () => preview3dDefinition,
  execute: instant((inputs, context) => {
    const background = context.save({
      bytes: new TextEncoder().encode('background'),
      extension: 'png',
      prefix: 'bg',
      name: `bg_${hexOf(context)}.png`,
      type: 'temp',
    });
    return {
      values: [],
      ui: { result: [read.text(inputs, 'model_file'), camera, `temp/${background.filename}`] },
    };
  }),
};

const preview3dDefinition = define({
  name: 'Preview3D',
  title: 'Preview 3D',
  pythonModule: 'comfy_extras.nodes_load_3d',
  category: '3d',
  required: { model_file: ['STRING', { default: '' }] },
  outputNode: true,
});

/** Shows a model that moves, as {@link preview3d} shows one. */
export const preview3dAnimation: NodeClass = {
  definition: () => preview3dAnimationDefinition,
  execute: preview3d.execute,
};

const preview3dAnimationDefinition = define({
  name: 'Preview3DAnimation',
  title: 'Preview 3D - Animation',
  pythonModule: 'comfy_extras.nodes_load_3d',
  category: '3d',
  required: { model_file: ['STRING', { default: '', multiline: false }] },
  optional: { camera_info: ['LOAD3D_CAMERA', {}] },
  outputNode: true,
  flags: { experimental: true },
});

/** Shows a model from the temporary folder, which its name says, and nothing else but on newer engines. */
export const preview3dAdvanced: NodeClass = {
  definition: () => preview3dAdvancedDefinition,
  execute: instant((inputs, context): NodeResult => {
    const file = context.save({
      bytes: modelOf(inputs['mesh']),
      extension: 'glb',
      prefix: 'preview3d_advanced',
      name: `preview3d_advanced_${hexOf(context)}.glb`,
      type: 'temp',
    });
    const named = context.modelOutputs === 'text' ? file.filename : `${file.filename} [temp]`;
    return { values: [], ui: { result: [named, camera, [{ name: 'mesh', vertices: 3 }]] } };
  }),
};

const preview3dAdvancedDefinition = define({
  name: 'Preview3DAdvanced',
  title: 'Preview 3D (Advanced)',
  pythonModule: 'comfy_extras.nodes_load_3d',
  category: '3d',
  required: { mesh: ['*', {}] },
  outputNode: true,
});

/** Saves a text as a file, and shows it. */
export const saveText: NodeClass = {
  definition: () => saveTextDefinition,
  execute: instant((inputs, context) => {
    const text = read.text(inputs, 'text');
    const prefix = read.text(inputs, 'filename_prefix', 'text/ComfyUI');
    const bytes = new TextEncoder().encode(text);
    return {
      values: [],
      ui: { files: [context.save({ bytes, extension: 'md', prefix, type: 'output' })], text: [text] },
    };
  }),
};

const saveTextDefinition = define({
  name: 'SaveText',
  title: 'Save Text',
  pythonModule: 'comfy_extras.nodes_text',
  category: 'text',
  required: {
    text: ['STRING', { multiline: true, default: '' }],
    filename_prefix: ['STRING', { default: 'text/ComfyUI' }],
  },
  outputNode: true,
});

const camera = {
  position: { x: 1, y: 1, z: 1 },
  target: { x: 0, y: 0, z: 0 },
  zoom: 1,
  cameraType: 'perspective',
};

const pathOf = ({ subfolder, filename }: FileDescriptor): string =>
  subfolder === '' ? filename : `${subfolder}/${filename}`;

/** One file for each surface of a mesh; of anything else that a test saves in its place, a file that names it. */
const filesOf = (mesh: unknown, context: NodeContext): readonly Uint8Array[] =>
  isMesh(mesh) ? mesh.surfaces.map((surface) => encodeGlb(surface, fileMetadata(context))) : [modelOf(mesh)];

/** The head of a binary glTF file, and what it was made of. */
const modelOf = (mesh: unknown): Uint8Array =>
  new TextEncoder().encode(`glTF\u0002\0\0\0${JSON.stringify(mesh ?? null)}`);

const hexOf = ({ nodeId, prompt }: NodeContext): string =>
  createHash('md5')
    .update(JSON.stringify([nodeId, prompt]))
    .digest('hex');
