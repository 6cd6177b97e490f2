import { asJsonObject } from '../http/request.js';

/** A file in the output of a node, with the key of its list. */
export interface OutputFile {
  readonly key: string;
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** The files in a node's output as the engine reports it; what is no file, such as texts and flags, is left out. */
export const filesOf = (output: unknown): readonly OutputFile[] =>
  Object.entries(asJsonObject(output) ?? {}).flatMap(([key, list]) =>
    (Array.isArray(list) ? (list as unknown[]) : []).flatMap((file) => readFile(key, file)),
  );

const readFile = (key: string, file: unknown): readonly OutputFile[] => {
  const { filename, subfolder = '', type = 'output' } = asJsonObject(file) ?? {};
  return typeof filename === 'string'
    ? [{ key, filename, subfolder: String(subfolder), type: String(type) }]
    : [];
};
