import type { NamedFile } from './named-files.js';
import type { NeededUpload } from './report.js';

/** Those that the service does not list, and those of which the caller has the file. */
export const neededUploads = (
  named: readonly NamedFile[],
  sizes: Readonly<Record<string, number>>,
  bound: number | undefined,
): readonly NeededUpload[] =>
  named
    .filter(({ isUploaded, isListed, name }) => isUploaded && (!isListed || Object.hasOwn(sizes, name)))
    .map(({ nodeId, input, name }) => {
      const bytes = Object.hasOwn(sizes, name) ? sizes[name] : undefined;
      return {
        ...{ nodeId, input, name },
        ...(bytes !== undefined && { bytes }),
        ...(bytes !== undefined && bound !== undefined && { isTooLarge: bytes > bound }),
      };
    });
