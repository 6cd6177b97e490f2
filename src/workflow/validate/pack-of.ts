import type { NodeDefinitions } from '../definitions.js';
import { objectOf } from '../values.js';

/** The pack that a class may be of, as far as its name tells. */
export interface LikelyPack {
  /** The name of the pack: as registries have it, or that of its folder on the server. */
  readonly name: string;
  /** Whether the server has other classes of it, so that it may be another version. */
  readonly isThere: boolean;
}

/** Finds the pack of a class that the server lacks; undefined if its name tells none. */
export type PackOf = (className: string) => LikelyPack | undefined;

/**
 * Makes a {@link PackOf} for the classes of a server: by how well-known packs name their classes, and by a mark, such as a word in
 * brackets, that only classes of one pack of the server have.
 */
export const packFinder = (definitions: NodeDefinitions): PackOf => {
  let folders: ReadonlyMap<string, string | undefined> | undefined;
  return (className) => {
    const known = knownPack(className);
    const mark = known ?? markOf(className);
    if (mark === undefined) return undefined;
    const folder = (folders ??= foldersByMark(definitions)).get(mark);
    const name = known ?? folder;
    return name === undefined ? undefined : { name, isThere: folder !== undefined };
  };
};

const knownPack = (className: string): string | undefined =>
  packs.find(([, pattern]) => pattern.test(className))?.[0];

/** What marks the classes of a pack: a word in brackets or after bars at the end, or capitals and an underscore at the start. */
const markOf = (className: string): string | undefined =>
  /(?:\([^()]+\)|(?:\||\/\/) ?[\w-]+)$|^[A-Z][A-Z\d]+_/u.exec(className)?.[0];

/** The folder of the classes of each mark; undefined if one class has it alone, or several folders have it. */
const foldersByMark = (definitions: NodeDefinitions): ReadonlyMap<string, string | undefined> => {
  const found = new Map<string, { readonly folders: Set<string>; count: number }>();
  for (const [className, definition] of Object.entries(objectOf(definitions))) {
    const known = knownPack(className);
    const mark = known ?? markOf(className);
    const folder = folderOf(objectOf(definition)['python_module']);
    if (mark === undefined || folder === undefined) continue;
    const entry = found.get(mark) ?? { folders: new Set<string>(), count: known === undefined ? 0 : 1 };
    entry.count += 1;
    found.set(mark, { ...entry, folders: entry.folders.add(folder) });
  }
  return new Map(
    Array.from(found, ([mark, { folders, count }]) => {
      const [folder] = folders;
      return [mark, folders.size === 1 && count > 1 ? folder : undefined];
    }),
  );
};

const folderOf = (origin: unknown): string | undefined =>
  typeof origin === 'string' ? /^custom_nodes\.(.+)$/u.exec(origin)?.[1] : undefined;

/** The end of a sentence about a class that the server lacks. */
export const likelyText = (pack: LikelyPack | undefined): string =>
  pack === undefined
    ? ''
    : `; by its name, it is perhaps of the pack ${pack.name}${pack.isThere ? ', of which the server has other classes' : ''}`;

/** How well-known packs name their classes. */
const packs: readonly (readonly [pack: string, classes: RegExp])[] = [
  ['rgthree-comfy', / \(rgthree\)$/u],
  ['comfyui-videohelpersuite', /^VHS_/u],
  ['comfyui-custom-scripts', /\|pysssss$/u],
  ['comfyui-easy-use', /^easy /u],
  [
    'comfyui-impact-pack',
    /^(?:Impact[A-Z]|SAMLoader$|FaceDetailer|DetailerForEach|BboxDetector|SegmDetector|SEGS)/u,
  ],
  ['comfyui-impact-subpack', /^UltralyticsDetectorProvider$/u],
  ['comfyui-inspire-pack', / \/\/ ?Inspire$/u],
  ['comfyui_ipadapter_plus', /^IPAdapter/u],
  ['comfyui_controlnet_aux', /Preprocessor$/u],
  ['comfyui-advanced-controlnet', /^ACN_/u],
  ['comfyui-animatediff-evolved', /^ADE_/u],
  ['comfyui_ultimatesdupscale', /^UltimateSDUpscale/u],
  ['comfyui-gguf', /LoaderGGUF/u],
  ['comfyui-kjnodes', /KJ(?:v\d+)?$/u],
  ['comfyui-wanvideowrapper', /^WanVideo/u],
  ['comfyui_layerstyle', /^Layer(?:Utility|Mask|Style|Color|Filter): /u],
  ['comfyui_essentials', /^[A-Z][A-Za-z]+\+$/u],
  ['comfy-mtb', / \(mtb\)$/u],
];
