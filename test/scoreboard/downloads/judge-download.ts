import type { SavedFile } from '../../../src/core/files/download-state.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import type { StorageLog } from './faulty-storage.js';
import type { VirtualDisk } from './virtual-disk.js';

/** What became of one download, and what really happened. */
export interface Outcome {
  readonly saved: SavedFile | undefined;
  readonly error: ServiceError | Error | undefined;
  readonly log: StorageLog;
  readonly disk: VirtualDisk;
  /** What stands under the path that was reported. */
  readonly onDisk: Uint8Array;
}

/** What a download did that none may do. */
export const judgeDownload = (outcome: Outcome, isWhole: boolean): readonly string[] => {
  const { disk, log } = outcome;
  const names = [...disk.entries.keys()];
  const early = disk.seen.slice(0, -1);
  return [
    ...(outcome.saved === undefined ? failed(outcome) : saved(outcome, outcome.saved, isWhole)),
    ...(early.length === 0 ? [] : [`a file was seen ${disk.seen.length} times under its final name`]),
    ...(names.some((name) => name.endsWith('.part')) ? [`left behind: ${names.join()}`] : []),
    ...(log.asked > maxAsked ? [`asked ${log.asked} times`] : []),
  ];
};

/** The first request and three more. */
const maxAsked = 4;

const saved = ({ log, disk, onDisk }: Outcome, file: SavedFile, isWhole: boolean): readonly string[] => {
  if (disk.struck()) return ['saved on a disk that failed'];
  if (onDisk.byteLength !== file.bytes) return [`${file.bytes} bytes reported, ${onDisk.byteLength} there`];
  if (log.last === undefined) return ['saved from an answer that had no file'];
  if (file.verified !== log.isLengthAnnounced)
    return [`verified is ${file.verified} of a length ${log.isLengthAnnounced ? '' : 'not '}announced`];
  if (isWhole) return [];
  if (file.verified) return ['verified, and not equal'];
  return log.cutUnseen && isPrefix(onDisk, log.last.bytes) ? [] : ['corrupt under its final name'];
};

const failed = ({ log, disk, error }: Outcome): readonly string[] => {
  const { run } = log;
  const problem = disk.seen.length > 0 ? ['failed, and a file is there'] : [];
  if (error === undefined || !('_tag' in error)) return [...problem, `not typed: ${String(error)}`];
  if (error._tag === 'FileSystem') {
    const ofTheDisk = disk.struck()
      ? error.code === run.disk?.code
      : run.freeBytes !== undefined && error.code === 'ENOSPC';
    return ofTheDisk ? problem : [...problem, `${error.code} of a disk that did not say so`];
  }
  if (disk.struck()) return [...problem, `the disk's error was reported as ${error._tag}`];
  const isSpoiled = error._tag === 'DownloadFailed' || error._tag === 'Timeout';
  if (!isSpoiled) return [...problem, `ended with ${error._tag}`];
  // An invisible cut may still leave too little for any picture.
  const spoiled = log.spoiled + (log.cutUnseen ? 1 : 0);
  return log.asked === maxAsked && spoiled > 0
    ? problem
    : [...problem, `given up after ${log.asked} answers: ${error.message}`];
};

const isPrefix = (short: Uint8Array, long: Uint8Array): boolean =>
  Buffer.compare(short, long.subarray(0, short.length)) === 0;
