import type { IncomingMessage } from 'node:http';
import type { RecordedRequest } from '../ledger/recorded-request.js';

/** What stands in a record in the place of a key that nobody gave to the emulator. */
const unknownKey = 'unknown-key';

/**
 * Takes a key that the emulator does not know out of what is kept of a request, since it may be a real one that went to
 * the wrong place. Keys that it knows are kept as sent, so that a test sees where they went.
 */
export const withoutUnknownKeys = (
  { method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  isKnown: (key: string) => boolean,
): Omit<RecordedRequest, 'origin' | 'body'> & { readonly clean: (body: string) => string } => {
  const sent = [headers['x-api-key'], headers.authorization?.replace(/^Bearer\s+/iu, ''), tokenOf(url)];
  const unknown = sent.flat().filter((key) => key !== undefined && key !== '' && !isKnown(key)) as string[];
  if (unknown.length === 0) return { method, url, headers, clean: (body) => body };
  const clean = (text: string): string =>
    unknown
      .flatMap((key) => [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)])
      .reduce((cleaned, key) => cleaned.replaceAll(key, unknownKey), text);
  const kept = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? clean(value) : value?.map(clean),
  ]);
  return {
    method,
    url: clean(url),
    headers: Object.fromEntries(kept) as RecordedRequest['headers'],
    clean,
  };
};

const tokenOf = (url: string): string | undefined =>
  new URLSearchParams(url.split('?')[1] ?? '').get('token') ?? undefined;
