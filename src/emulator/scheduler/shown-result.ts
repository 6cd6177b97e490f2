import { asJsonObject } from '../http/request.js';
import type { FileDescriptor, NodeResult } from '../engine/node-class.js';
import type { RunEnvironment } from './run-environment.js';
import type { Switches } from '../switches.js';

/** The result of a node as the server's release shows it: its keys, and what a descriptor has beside the file. */
export const shownResult = (
  result: NodeResult,
  className: string,
  environment: Pick<RunEnvironment, 'files' | 'switches'>,
): NodeResult =>
  withSizes(
    markStill(nameVideoKey(result, environment.switches), className, environment.switches),
    environment,
  );

/** Puts a saver's videos under `images` with `animated: [true]`, where the switch wants the older key. */
const nameVideoKey = (result: NodeResult, { videoKey }: Pick<Switches, 'videoKey'>): NodeResult => {
  if (videoKey === 'video' || !result.ui?.['video']) return result;
  const { video, ...others } = result.ui;
  return { ...result, ui: { ...others, images: video, animated: [true] } };
};

/** Says of the previews of a newer class that they don't move. */
const markStill = (
  result: NodeResult,
  className: string,
  { stillPreviews }: Pick<Switches, 'stillPreviews'>,
): NodeResult =>
  stillPreviews && result.ui !== undefined && className === 'MaskPreview'
    ? { ...result, ui: { ...result.ui, animated: [false] } }
    : result;

/** Adds the size of each PNG file to its descriptor, where the switch wants it. */
const withSizes = (
  result: NodeResult,
  { files, switches }: Pick<RunEnvironment, 'files' | 'switches'>,
): NodeResult => {
  if (!switches.fileMetadata || !result.ui) return result;
  const sized = (element: unknown): unknown => {
    const { filename, type, subfolder } = asJsonObject(element) ?? {};
    if (typeof filename !== 'string' || !filename.endsWith('.png')) return element;
    const bytes = files.find(filename, String(type), String(subfolder))?.bytes;
    if (bytes === undefined || bytes.length < 24) return element;
    const header = new DataView(bytes.buffer, bytes.byteOffset);
    const metadata = { kind: 'image', width: header.getUint32(16), height: header.getUint32(20) };
    return { ...asJsonObject(element), metadata };
  };
  const lists = Object.entries(result.ui).map(([key, list]) => [key, list.map(sized)] as const);
  return { ...result, ui: Object.fromEntries(lists) };
};

/**
 * The outputs of a node as one run shows them, where the server keeps assets: each file has an id of this run, also where the result is
 * cached, and each picture one of its preview.
 */
export const withAssetIds = (
  ui: NonNullable<NodeResult['ui']>,
  assetId: (() => string) | undefined,
): NonNullable<NodeResult['ui']> => {
  if (assetId === undefined) return ui;
  const identified = (element: unknown): unknown =>
    isDescriptor(element)
      ? {
          ...element,
          id: assetId(),
          ...(/\.(?:png|jpe?g|webp)$/u.test(element.filename) && { preview_id: assetId() }),
        }
      : element;
  return Object.fromEntries(Object.entries(ui).map(([key, list]) => [key, list.map(identified)]));
};

const isDescriptor = (element: unknown): element is FileDescriptor => {
  const { filename, type } = asJsonObject(element) ?? {};
  return typeof filename === 'string' && typeof type === 'string';
};
