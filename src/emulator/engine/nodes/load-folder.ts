import { resize } from '../resize.js';
import { define, instant } from '../define.js';
import { loadPicture } from './load.js';
import { type NodeClass, NodeFailure, type Picture } from '../node-class.js';
import { pasted, plain } from '../picture-shapes.js';
import { read } from '../read.js';

const isPicture = /\.(?:png|jpe?g|webp)$/iu;

/** The folders at the top of the uploads. */
const foldersOf = (inputs: readonly string[]): readonly string[] =>
  [
    ...new Set(inputs.flatMap((name) => (name.includes('/') ? [name.slice(0, name.indexOf('/'))] : []))),
  ].toSorted();

/** Loads all pictures of a folder of uploads as a batch. */
export const loadImageSetFromFolder: NodeClass = {
  definition: ({ inputs }) =>
    define({
      ...{ name: 'LoadImageSetFromFolderNode', title: 'Load Image Dataset from Folder' },
      pythonModule: 'comfy_extras.nodes_train',
      description: 'Loads the pictures of a folder as a batch, for a training.',
      category: 'loaders',
      required: { folder: [foldersOf(inputs), { tooltip: 'The folder whose pictures are loaded.' }] },
      optional: { resize_method: [['None', 'Stretch', 'Crop', 'Pad'], { default: 'None' }] },
      outputs: [{ type: 'IMAGE' }],
      flags: { experimental: true },
    }),
  execute: instant((inputs, context) => {
    const folder = read.text(inputs, 'folder');
    const method = read.text(inputs, 'resize_method', 'None');
    const names = context
      .inputs()
      .filter((name) => name.startsWith(`${folder}/`) && !name.slice(folder.length + 1).includes('/'))
      .filter((name) => isPicture.test(name));
    const pictures = names.map((name): Picture => {
      const { width, height, rgb } = loadPicture(name, context);
      return { width, height, rgb };
    });
    const [first] = pictures;
    if (first === undefined) throw new NodeFailure('ValueError', 'No valid images found in input');
    return { values: [pictures.map((picture) => fitted(picture, first, method))] };
  }),
};

const fitted = (picture: Picture, { width, height }: Picture, method: string): Picture => {
  if (picture.width === width && picture.height === height) return picture;
  switch (method) {
    case 'Stretch':
    case 'Pad':
      return resize(picture, { width, height });
    case 'Crop':
      // Black where it is too small.
      return pasted(plain(width, height, [0, 0, 0]), picture, 0, 0);
    default:
      throw new NodeFailure(
        'ValueError',
        'Your input image size does not match the first image in the dataset. Either select a valid resize method or use the same size for all images.',
      );
  }
};
