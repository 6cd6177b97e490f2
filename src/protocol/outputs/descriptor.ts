import { isJsonObject } from '../is-json-object.js';

/** How outputs name a file, defaults filled in. */
export interface Descriptor {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
  /** The media type that some nodes tell. */
  readonly format?: string;
}

/**
 * Reads an element of an output array as the file that it names; undefined where it names none
 * (docs/protocol.md, chapter 8).
 */
export const readDescriptor = (element: unknown): Descriptor | undefined => {
  if (!isJsonObject(element)) return undefined;
  const { filename, subfolder, type, format } = element;
  if (typeof filename !== 'string' || filename === '') return undefined;
  return {
    filename,
    subfolder: typeof subfolder === 'string' ? subfolder : '',
    type: typeof type === 'string' && type !== '' ? type : 'output',
    ...(typeof format === 'string' && { format }),
  };
};
