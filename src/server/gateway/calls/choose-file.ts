import type { NamedFiles } from '../native/named-files.js';
import type { NativeFile } from '../native/native-job.js';
import { placeAmong, type WantedBytes } from './accept.js';

/**
 * Chooses the file whose bytes answer a call: of the node that `name` names, by title, class or id, else of any; lasting files before temporary
 * ones, then what the caller wants most, then the first. Undefined if no file has one of these types.
 */
export const chooseFile = (
  files: NamedFiles,
  ranges: WantedBytes,
  name: string | undefined,
): NativeFile | undefined => {
  const wanted = Object.entries(files)
    .flatMap(([title, own]) =>
      own.filter(({ nodeId }) => name === undefined || name === title || name === nodeId),
    )
    .map((file) => ({ file, place: placeAmong(ranges, file.mediaType) }))
    .filter(({ place }) => place >= 0);
  const lasting = wanted.filter(({ file }) => file.type !== 'temp');
  const [best] = (lasting.length > 0 ? lasting : wanted).toSorted((one, other) => one.place - other.place);
  return best?.file;
};
