import { randomInts } from '../../helpers/mutate-frame.js';
import { type RangedReader, workflowIn, type WorkflowInFile } from '../../../src/workflow.js';
import { samples } from './samples.js';

const KiB = 1024;
/** Values of the fields that say how long or how many something is. */
const edges = [0, 1, 2, 7, 8, 9, 0x7f, 0x80, 0xfe, 0xff];

/** A sample with some of its bytes changed, cut out, repeated, swapped between two samples, or cut off; or bytes by chance. */
const hostileFile = (seed: number): Buffer => {
  const below = randomInts(seed);
  const sample = (): Buffer => Buffer.from(samples[below(samples.length)]![2]);
  let file = sample();
  if (below(20) === 0) {
    // The beginning decides the format, so that chance comes behind it.
    for (let at = below(16); at < file.length; at += 1) file[at] = below(256);
    return file;
  }
  for (let edits = below(6); edits >= 0; edits -= 1) {
    const at = below(Math.min(file.length, below(3) === 0 ? file.length : 120) || 1);
    const length = below(40);
    const rest = file.subarray(Math.min(at + length, file.length));
    switch (below(6)) {
      case 0:
        file[at] = below(256);
        break;
      case 1:
        file[at] = edges[below(edges.length)]!;
        break;
      case 2:
        file.fill(edges[below(edges.length)]!, at, Math.min(at + 1 + below(8), file.length));
        break;
      case 3:
        file = Buffer.concat([file.subarray(0, at), rest]);
        break;
      case 4:
        file = Buffer.concat([file.subarray(0, at + length), file.subarray(at)]);
        break;
      default:
        file = Buffer.concat([file.subarray(0, at), sample().subarray(below(60), below(400)), rest]);
    }
  }
  return below(3) === 0 ? file.subarray(0, below(file.length + 1)) : file;
};

/** Searches a hostile file; throws where the search fails by itself, reads outside the file, or reads too much of it. */
export const searchHostileFile = async (seed: number): Promise<WorkflowInFile['_tag']> => {
  const file = hostileFile(seed);
  let bytes = 0;
  const source: RangedReader = {
    size: file.length,
    read: (start, end) => {
      if (start < 0 || end > file.length || start >= end) throw new Error(`reads from ${start} to ${end}`);
      bytes += end - start;
      return file.subarray(start, end);
    },
  };
  const search = await workflowIn(source);
  // A program's own fault would be called unreadable as well.
  if (search._tag === 'Problem' && search.problem.reason === 'unreadable')
    throw new Error(`seed ${seed}: ${search.problem.message}`);
  // Each piece of metadata is read once; overlapping pieces of a damaged file are read again.
  if (bytes > 64 * KiB + 16 * file.length) throw new Error(`seed ${seed}: ${bytes} bytes of ${file.length}`);
  return search._tag;
};
