/**
 * The classes of the engine that check an input themselves: the value must name a file of the server, listed or not, and its
 * bounds and list do not count.
 */
export const fileInputs: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['LoadImage', 'image'],
  ['LoadImageMask', 'image'],
  ['LoadImageOutput', 'image'],
  ['LoadLatent', 'latent'],
  ['LoadAudio', 'audio'],
  ['LoadVideo', 'file'],
]);

/** Whether a path names a folder of the server, whose files the list of an input does not have. */
export const namesOtherFolder = (path: string): boolean => /\[(?:output|temp)\]\s*$/u.test(path);

/** A path without the mark of the folder that it is in anyway. */
export const withoutFolder = (path: string): string => path.replace(/\s\[input\]$/u, '');
