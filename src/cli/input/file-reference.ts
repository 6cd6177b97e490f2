/** A file of the service: what `upload` prints, and what `--mask-of` takes. */
export interface FileReference {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** Reads `[SUBFOLDER/]NAME`, optionally followed by ` [input|temp|output]`; the kind is `input` by default. */
export const parseFileReference = (text: string): FileReference => {
  const [, path = text, type = 'input'] = /^(.*?) \[(input|temp|output)\]$/u.exec(text) ?? [];
  const slash = path.lastIndexOf('/');
  return { filename: path.slice(slash + 1), subfolder: slash < 0 ? '' : path.slice(0, slash), type };
};

/** Writes what a workflow's input takes: `[SUBFOLDER/]NAME`. */
export const inputValue = (file: { readonly name: string; readonly subfolder: string }): string =>
  file.subfolder === '' ? file.name : `${file.subfolder}/${file.name}`;
