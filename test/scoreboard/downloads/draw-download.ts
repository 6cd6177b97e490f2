import { type Random, randomOf } from '../../simulation/random.js';
import type { DiskFault } from './virtual-disk.js';

/** What the storage does to one request; `spoiled` ones are to be asked for again. */
export type AnswerFault =
  | { readonly do: 'expire'; readonly status: 400 | 403 }
  | { readonly do: 'fail'; readonly status: 500 | 503 }
  /** The connection ends at this part of the body, 0 to 1. */
  | { readonly do: 'cut'; readonly at: number; readonly how: 'fin' | 'rst'; readonly length: AnnouncedLength }
  /** A byte a second. */
  | { readonly do: 'drip' }
  /** Nothing more comes, from this part of the body on; below 0: not even an answer. */
  | { readonly do: 'stall'; readonly at: number }
  | { readonly do: 'wrong body'; readonly text: string }
  | { readonly do: 'gzip'; readonly at: number }
  /** To who goes on: another part than was asked for, or less of it, as if that were all. */
  | { readonly do: 'wrong part'; readonly how: 'early' | 'late' | 'short' | 'other name' };

/** How the storage announces the length of a body. */
export type AnnouncedLength = 'announced' | 'chunked' | 'until close';

/** What stands at the storage for a while. */
export interface StoredVersion {
  readonly bytes: Uint8Array;
  readonly etag?: string;
}

/** One download under fault, made of its seed. */
export interface DownloadRun {
  readonly seed: number;
  readonly filename: string;
  /** The nth answer of the storage is struck by the nth of these; later ones are good. */
  readonly faults: readonly AnswerFault[];
  readonly versions: readonly StoredVersion[];
  /** The request, from 0, with which the second version is there. */
  readonly changesAt: number;
  /** How the good answers announce their length. */
  readonly length: AnnouncedLength;
  /** The storage knows no ranges. */
  readonly wholeOnly: boolean;
  readonly disk?: DiskFault;
  readonly freeBytes?: number;
}

/** Draws a {@link DownloadRun}. */
export const drawDownload = (seed: number): DownloadRun => {
  const random = randomOf(seed, 17);
  const [filename, head] = random.pick(kinds);
  const size = random.pick([
    random.between(64, 200),
    random.between(4_000, 20_000),
    random.between(60_000, 200_000),
  ]);
  const tags = random.pick(['strong', 'strong', 'strong', 'weak', 'none'] as const);
  const sameSize = random.chance(0.5);
  const version = (n: number): StoredVersion => ({
    bytes: bytesOf(random, head, n === 0 || sameSize ? size : random.between(64, 200_000)),
    ...(tags === 'none' ? {} : { etag: `${tags === 'weak' ? 'W/' : ''}"${seed}-${n}"` }),
  });
  const onDisk = random.next();
  return {
    seed,
    filename,
    faults: Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, () => drawFault(random)),
    versions: [version(0), version(1)],
    changesAt: random.pick([1, 2, 3, Infinity, Infinity]),
    length: random.pick(['announced', 'announced', 'announced', 'chunked', 'until close'] as const),
    wholeOnly: random.chance(0.15),
    ...(onDisk < 0.12
      ? {
          disk: {
            code: random.pick(['ENOSPC', 'ENOSPC', 'EDQUOT', 'EIO', 'EACCES'] as const),
            after: random.below(size),
          },
        }
      : onDisk < 0.15
        ? { freeBytes: 63 }
        : {}),
  };
};

const drawFault = (random: Random): AnswerFault => {
  switch (random.below(8)) {
    case 0:
      return { do: 'expire', status: random.pick([400, 403] as const) };
    case 1:
      return { do: 'fail', status: random.pick([500, 503] as const) };
    case 2:
    case 3:
      return {
        do: 'cut',
        at: random.next(),
        how: random.pick(['fin', 'rst'] as const),
        length: random.pick(['announced', 'announced', 'chunked', 'until close'] as const),
      };
    case 4:
      return random.chance(0.5) ? { do: 'drip' } : { do: 'stall', at: random.pick([-1, 0, 0.5, 0.99]) };
    case 5:
      return { do: 'wrong body', text: random.pick(wrongBodies) };
    case 6:
      return { do: 'gzip', at: random.pick([0.5, 1]) };
    default:
      return { do: 'wrong part', how: random.pick(['early', 'late', 'short', 'other name'] as const) };
  }
};

const kinds: readonly (readonly [string, readonly number[]])[] = [
  ['a.png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['a.jpg', [0xff, 0xd8, 0xff, 0xe0]],
  ['a.mp4', [0, 0, 0, 32, 0x66, 0x74, 0x79, 0x70, 0x69, 0x73, 0x6f, 0x6d]],
  ['a.flac', [0x66, 0x4c, 0x61, 0x43]],
];

const wrongBodies: readonly string[] = [
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
  '<!DOCTYPE html><html><title>Just a moment</title></html>',
  '{"error":"no such key"}',
  '',
];

/** Bytes in which no wrong splice can hide. */
const pool = ((): Uint8Array => {
  const bytes = new Uint8Array(1 << 20);
  const words = new Uint32Array(bytes.buffer);
  for (let at = 0; at < words.length; at += 1) words[at] = Math.imul(at + 1, 2654435761) ^ (at >>> 3);
  return bytes;
})();

const bytesOf = (random: Random, head: readonly number[], length: number): Uint8Array => {
  const from = random.below(pool.length - length);
  const bytes = pool.slice(from, from + length);
  bytes.set(head);
  return bytes;
};
