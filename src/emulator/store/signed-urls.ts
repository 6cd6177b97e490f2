import type { EmulatorClock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { Switches } from '../switches.js';
import type { StoredFile } from './file-store.js';

/** Addresses that serve a file without a key until they expire. */
export interface SignedUrls {
  /** A fresh address. */
  readonly sign: (file: StoredFile) => string;
  readonly open: (token: string) => { readonly file: StoredFile; readonly expired: boolean } | undefined;
}

/** An address is valid for `signedUrlMs`; its query has date and lifetime as in object storage. */
export const createSignedUrls = (
  origin: string,
  ids: Ids,
  clock: EmulatorClock,
  { signedUrlMs }: Pick<Switches, 'signedUrlMs'>,
): SignedUrls => {
  const issued = new Map<string, { readonly file: StoredFile; readonly expiresAt: number }>();

  const sign = (file: StoredFile): string => {
    const token = ids.hex(32);
    const now = clock.now();
    issued.set(token, { file, expiresAt: now + signedUrlMs });
    const query = new URLSearchParams({
      'X-Goog-Algorithm': 'GOOG4-RSA-SHA256',
      'X-Goog-Date': basicDate(now),
      'X-Goog-Expires': String(Math.ceil(signedUrlMs / 1000)),
      'X-Goog-SignedHeaders': 'host',
      'X-Goog-Signature': ids.hex(64),
    });
    return `${origin}/signed/${token}?${query.toString()}`;
  };

  const open: SignedUrls['open'] = (token) => {
    const entry = issued.get(token);
    return entry && { file: entry.file, expired: clock.now() >= entry.expiresAt };
  };

  return { sign, open };
};

/** `YYYYMMDDTHHMMSSZ`. */
const basicDate = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
