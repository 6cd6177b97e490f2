import type { NodeContext } from './node-class.js';

/**
 * The texts that a saved file carries: the graph as `prompt`, and everything of `extra_pnginfo`, in ASCII JSON.
 *
 * A name that no PNG chunk can have (1 to 79 printable characters) is left out, as is a second `prompt`.
 */
export const fileMetadata = ({ prompt, extraPngInfo }: NodeContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...extraPngInfo, prompt })
      .filter(([key]) => /^[\x20-\x7e]{1,79}$/.test(key))
      .map(([key, value]) => [key, asciiJson(value)]),
  );

const asciiJson = (value: unknown): string =>
  ((JSON.stringify(value) as string | undefined) ?? 'null').replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
