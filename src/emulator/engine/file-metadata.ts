import type { NodeContext } from './node-class.js';

/** The texts that a saved file carries: the graph as `prompt`, then everything of `extra_pnginfo`, in ASCII JSON. */
export const fileMetadata = ({ prompt, extraPngInfo }: NodeContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ prompt, ...extraPngInfo }).map(([key, value]) => [key, asciiJson(value)]),
  );

const asciiJson = (value: unknown): string =>
  ((JSON.stringify(value) as string | undefined) ?? 'null').replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
