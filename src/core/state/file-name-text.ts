/** The file that a text names: what `view` takes of it. */
export interface NamedByText {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** Keys under which nodes name files by bare texts; elsewhere a text is data, even where it ends like a file name. */
export const namesFilesByText = (key: string): boolean => key === 'result' || key === '3d';

/**
 * Reads the file that a bare text under such a key names; undefined for any other text.
 *
 * The text is a path below a folder of the service, with an extension of a model or a picture. The folder is what an annotation
 * says (`x.glb [temp]`), what the path begins with (`temp/x.png`), `temp` for the names that preview nodes give, else `output`
 * (docs/protocol.md, chapter 8).
 */
export const fileOfText = (text: string): NamedByText | undefined => {
  if (text.length > maxLength) return undefined;
  const [, path = '', annotation] = /^(.*?)(?: \[(output|input|temp)\])?$/u.exec(text) ?? [];
  if (!hasExtension.test(path) || isOutside.test(path)) return undefined;
  const parts = path.split(/[/\\]/u);
  const filename = parts.pop() ?? '';
  const inTemp = annotation === undefined && parts[0] === 'temp';
  return {
    filename,
    subfolder: (inTemp ? parts.slice(1) : parts).join('/'),
    type: annotation ?? (inTemp || isPreview.test(filename) ? 'temp' : 'output'),
  };
};

/** The text that a list of single characters spells, as servers send a text that they take for a list; undefined for other lists. */
export const joinedText = (list: readonly unknown[]): string | undefined =>
  list.length > 3 && list.every((element) => typeof element === 'string' && /^.$/su.test(element))
    ? list.join('')
    : undefined;

/** Longer than any path that a file system takes. */
const maxLength = 4_096;

const hasExtension = /[^/\\]\.(?:glb|gltf|obj|fbx|usdz|stl|ply|splat|ksplat|spz|png|jpe?g|webp)$/iu;

/** Absolute paths, drives, addresses and steps upwards name nothing that `view` serves. */
const isOutside = /^[/\\]|^[a-z]+:|(?:^|[/\\])\.\.(?:[/\\]|$)|[\r\n\0]/iu;

const isPreview = /^preview_?(?:3d_advanced|splat|pointcloud)_[0-9a-f]{32}\./iu;
