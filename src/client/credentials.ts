import { clearTextRefusal } from '../core/http/clear-text.js';
import type { ClientOptions } from './client-options.js';
import type { DialectStrategy } from './dialects/dialect.js';
import { getOrThrow } from '../core/protocol/either.js';
import { makeSecrets, type Secrets } from '../core/http/secrets.js';
import { type HeadersResult, ownHeaders } from '../core/http/own-headers.js';
import { readApiKey } from '../core/http/api-key.js';
import type { ServiceUrls } from '../core/http/service-urls.js';

/** The key and the headers with which a client calls its service, and what is redacted because of them. */
export interface Credentials {
  readonly secrets: Secrets;
  /** The key of the moment. */
  readonly key: () => string | undefined;
  /** Takes another key and returns whether it differs. Throws `InvalidConfig` for one that can't be sent. */
  readonly setKey: (apiKey: string) => boolean;
  /** The client's own headers for one request; absent if it has none. */
  readonly headers: (() => HeadersResult) | undefined;
}

/** Makes {@link Credentials}. Throws `InvalidConfig` for a key or headers that can't work, or that would cross a network in clear text. */
export const clientCredentials = (
  { apiKey, headers }: Pick<ClientOptions, 'apiKey' | 'headers'>,
  { usesKey, http }: Pick<DialectStrategy, 'usesKey' | 'http'>,
  urls: ServiceUrls,
): Credentials => {
  const secrets = makeSecrets();
  let key: string | undefined;
  const setKey = (text: string): boolean => {
    const before = key;
    const refused = usesKey ? clearTextRefusal(urls, 'the key') : undefined;
    const read = getOrThrow(readApiKey(text));
    if (refused !== undefined) throw refused;
    key = read;
    secrets.addOwnKey(key);
    return key !== before;
  };
  if (apiKey !== undefined) setKey(apiKey);
  return {
    secrets,
    key: () => key,
    setKey,
    headers:
      headers === undefined
        ? undefined
        : ownHeaders(headers, http.keyHeaders, secrets.addHeaders, clearTextRefusal(urls, 'headers')),
  };
};
