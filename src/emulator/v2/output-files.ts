/** A file in the output of a node, with the key of its list. */
export interface OutputFile {
  readonly key: string;
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** The files in a node's output as the engine reports it; what is no file, such as texts and flags, is left out. */
export const filesOf = (output: unknown): readonly OutputFile[] =>
  isRecord(output)
    ? Object.entries(output).flatMap(([key, list]) =>
        (Array.isArray(list) ? (list as unknown[]) : []).flatMap((file) => readFile(key, file)),
      )
    : [];

const readFile = (key: string, file: unknown): readonly OutputFile[] => {
  if (!isRecord(file) || typeof file['filename'] !== 'string') return [];
  const { filename, subfolder, type } = file;
  return [{ key, filename, subfolder: textOf(subfolder, ''), type: textOf(type, 'output') }];
};

const textOf = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
