import type { Refusal } from '../http/refusal.js';
import { type Either, left, right } from '../../../core/protocol/either.js';
import { fileHash, lifetime } from '../contract/requests.js';
import { refusal } from './refusal.js';

/** Refuses a field of an upload. */
const unfit = (message: string): Either<Refusal, never> => left(refusal(422, 'validation_error', message));

/** What an upload says about its file. */
export interface AssetFields {
  readonly filePath: string | undefined;
  readonly contentType: string | undefined;
  readonly expectedHash: string | undefined;
  readonly expiresInMs: number | undefined;
}

/** Reads the fields of an upload, from a form or from JSON; empty ones count as absent. */
export const readAssetFields = (
  field: (name: 'file_path' | 'content_type' | 'expected_hash' | 'expires_in') => unknown,
): Either<Refusal, AssetFields> => {
  const given = (['file_path', 'content_type', 'expected_hash'] as const).map((name) => field(name) ?? '');
  if (!given.every((value) => typeof value === 'string')) {
    return unfit('`file_path`, `content_type` and `expected_hash` take text.');
  }
  const [filePath, contentType, expectedHash] = given.map((text) => (text === '' ? undefined : text));
  const problem = problemOf({ filePath, contentType, expectedHash });
  if (problem !== undefined) return unfit(problem);
  const expiresIn = readSeconds(field('expires_in') ?? undefined);
  if (expiresIn === 'invalid') return unfit('`expires_in` takes 60 to 604800 seconds.');
  const expiresInMs = expiresIn === undefined ? undefined : expiresIn * 1000;
  return right({ filePath, contentType, expectedHash, expiresInMs });
};

/** What is wrong with the texts of an upload. */
const problemOf = ({
  filePath,
  contentType,
  expectedHash,
}: Omit<AssetFields, 'expiresInMs'>): string | undefined => {
  if (filePath !== undefined && !isFilePath(filePath)) return '`file_path` leaves its folder.';
  if (contentType !== undefined && !isMediaType.test(contentType)) return '`content_type` is no media type.';
  return expectedHash === undefined || isHash(expectedHash)
    ? undefined
    : '`expected_hash` takes `blake3:` and 64 hexadecimal digits.';
};

/** Whether a text is a BLAKE3 hash as API v2 writes it. */
export const isHash = (text: unknown): text is string => fileHash.is(text);

/** False for a path that is empty, absolute or leads out of its folder. */
const isFilePath = (path: string): boolean =>
  path.length <= 1024 &&
  !/^[/\\]|^[A-Za-z]:|\p{Cc}/u.test(path) &&
  !path.split(/[/\\]/u).some((part) => part === '..' || part === '.' || part === '');

const isMediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:\s*;[\x20-\x7e]{0,200})?$/u;

const readSeconds = (value: unknown): number | undefined | 'invalid' => {
  if (value === undefined || value === '') return undefined;
  const seconds = typeof value === 'string' && /^\d{1,9}$/u.test(value) ? Number(value) : value;
  return lifetime.is(seconds) ? seconds : 'invalid';
};
