import * as E from '../protocol/either.js';
import { serviceError } from '../errors/service-error.js';
import type { ServiceErrorOf } from '../errors/errors.js';

/** Names and values of headers: an object, or pairs, as of a `Headers` or a `Map`. */
export type HeaderValues =
  Readonly<Record<string, string>> | Iterable<readonly [name: string, value: string]>;

/** Headers, checked: names in lower case, values without blanks around them. */
export type CheckedHeaders = Readonly<Record<string, string>>;

/** The headers of one request, or why they can't be used. */
export type HeadersResult = E.Either<ServiceErrorOf<'InvalidConfig'>, CheckedHeaders>;

/**
 * Makes a function that gives the client's own headers for one request or handshake; `onSecrets` gets what has to be redacted
 * before they are used.
 *
 * Throws `InvalidConfig` for an object that can't work. A function is called and checked each time: Left is `InvalidConfig` then,
 * also where the function threw. `reserved` are names that have an option of their own; `refused` is the answer to headers with secrets,
 * where none may be sent.
 */
export const ownHeaders = (
  headers: unknown,
  reserved: readonly string[],
  onSecrets: (secrets: readonly string[]) => void,
  refused?: HeadersRefusal,
): (() => HeadersResult) => {
  const read = (value: unknown): HeadersResult => {
    const result = readHeaders(value, reserved);
    if (E.isLeft(result)) return result;
    const secrets = secretsOf(result.right);
    onSecrets(secrets);
    return refused === undefined || secrets.length === 0 ? result : E.left(refused);
  };
  if (typeof headers === 'function') {
    return () => {
      try {
        return read((headers as () => unknown)());
      } catch {
        return refuse('threw.');
      }
    };
  }
  const fixed = read(headers);
  if (E.isLeft(fixed)) throw fixed.left;
  return () => fixed;
};

type HeadersRefusal = ServiceErrorOf<'InvalidConfig'>;

/** Checks names and values; the error quotes no value. */
const readHeaders = (value: unknown, reserved: readonly string[]): HeadersResult => {
  const headers = parse(value);
  if (headers === undefined) {
    return refuse('takes names and values that a header can have: texts without line breaks.');
  }
  const refused = Object.keys(headers).find((name) => reserved.includes(name) || ofTransport.test(name));
  return refused === undefined
    ? E.right(headers)
    : refuse(`can't set ${refused}: the client or its transport does.`);
};

const parse = (value: unknown): CheckedHeaders | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  // `Headers` would make a text of every value.
  if (!Array.isArray(value) && Object.values(value).some((text) => typeof text !== 'string'))
    return undefined;
  try {
    return Object.fromEntries(new Headers(value as Record<string, string>));
  } catch {
    return undefined;
  }
};

/** Framing, connections, handshakes, a proxy's own, and parts of files. */
const ofTransport =
  /^(?:host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|accept-encoding|range|(?:content|proxy|sec|if)-.*)$/;

/**
 * The texts to redact: each value, and what follows a scheme such as `Bearer` or the name of a cookie. Texts shorter than 4
 * characters stay, as do the values of headers that hold no secret.
 */
const secretsOf = (headers: CheckedHeaders): readonly string[] =>
  Object.entries(headers)
    .filter(([name]) => !harmless.test(name))
    .flatMap(([, value]) => [value, ...value.split(/(?:^|; )[^\s;=]+[ =]/)])
    .filter(({ length }) => length >= 4);

const harmless = /^(?:accept|origin$|trace|user-agent$)/;

const refuse = (what: string): E.Either<ServiceErrorOf<'InvalidConfig'>, never> =>
  E.left(serviceError('InvalidConfig', { option: 'headers', message: `headers ${what}` }));
