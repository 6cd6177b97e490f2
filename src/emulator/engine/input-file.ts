import { decodePicture, type DecodedPicture } from './files/decode-picture.js';
import { NodeFailure, type NodeClass, type NodeContext } from './node-class.js';

/** Reads a picture file that a workflow names. */
export const loadPicture = (name: string, context: NodeContext): DecodedPicture => {
  const bytes = context.load(name);
  if (bytes === undefined) throw new NodeFailure('ImageDownloadError', `Cannot read the image file ${name}.`);
  const picture = decodePicture(bytes);
  if (picture === undefined)
    throw new NodeFailure('PIL.UnidentifiedImageError', `cannot identify image file '${name}'`);
  return picture;
};

/** A loader's own check: its file has to exist. */
export const validateImage: NonNullable<NodeClass['validate']> = ({ image }, files) =>
  typeof image === 'string' && files.exists(image) ? undefined : `Invalid image file: ${String(image)}`;
