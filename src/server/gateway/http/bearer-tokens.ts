import type { Authorize, Caller } from '../options.js';
import { serviceError } from '../../../core/errors/service-error.js';

/**
 * Makes the option `authorize` for callers with a token each, which they send as `Authorization: Bearer …`.
 *
 * `tokens` has the token of each caller by the caller's name; to let a token go, make a new gateway. `grants` has what these callers may
 * beside running jobs, and limits of their own, by name: `{ admin: { servers: 'change' } }`. Every request is compared with
 * all of them, in a time that tells nothing about them, and the function keeps digests only. Throws `InvalidConfig` for an empty name
 * or a token that a header can't carry; the message holds no token.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createClient } from 'promptwire';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const gateway = createGateway({ client, authorize: bearerTokens({ web: 'a-long-random-token' }) });
 * ```
 */
export const bearerTokens = (
  tokens: Readonly<Record<string, string>>,
  grants: Readonly<Record<string, Omit<Caller, 'name'>>> = {},
): Authorize => {
  const entries = Object.entries(tokens);
  for (const [name, token] of entries) {
    if (name === '' || !/^[\x21-\x7e]+$/u.test(token)) {
      throw serviceError('InvalidConfig', {
        option: 'tokens',
        message: `The token of the caller "${name}" is not usable: a name is not empty, and a token is one word.`,
      });
    }
  }
  let known: Promise<readonly { readonly name: string; readonly digest: Uint8Array }[]> | undefined;
  return async (request) => {
    const [, token] = /^Bearer +([\x21-\x7e]+) *$/iu.exec(request.headers.get('authorization') ?? '') ?? [];
    if (token === undefined) return undefined;
    known ??= Promise.all(entries.map(async ([name, secret]) => ({ name, digest: await digestOf(secret) })));
    const digest = await digestOf(token);
    const callers = (await known).filter((entry) => areEqual(entry.digest, digest));
    const name = callers[0]?.name;
    return name === undefined ? undefined : { ...(Object.hasOwn(grants, name) && grants[name]), name };
  };
};

const digestOf = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Reads both to their end, wherever they differ. */
const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), one.length ^ other.length) ===
  0;
