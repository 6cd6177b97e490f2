import * as E from '../protocol/either.js';
import { type Redact, secretRedactor, redactorWith } from '../redaction/redact.js';
import { type RedactValue, valueRedactor } from '../redaction/redact-value.js';
import { serviceError } from '../errors/service-error.js';
import type { ServiceErrorOf } from '../errors/errors.js';

/**
 * Checks that a key can be sent in a header: not empty, printable, without blanks; blanks around it are cut off.
 *
 * Nothing else is known of keys (docs/protocol.md, chapter 1). The message never quotes it.
 */
export const readApiKey = (
  key: unknown,
  option = 'apiKey',
): E.Either<ServiceErrorOf<'InvalidConfig'>, string> => {
  if (typeof key !== 'string') return refuse(option, 'takes a string.');
  const trimmed = key.trim();
  if (trimmed === '') return refuse(option, 'is empty.');
  return /^[\u0021-\u007e]+$/u.test(trimmed)
    ? E.right(trimmed)
    : refuse(
        option,
        'has characters that a key cannot have: blanks, line breaks or other than printable ASCII.',
      );
};

const refuse = (option: string, what: string): E.Either<ServiceErrorOf<'InvalidConfig'>, never> =>
  E.left(
    serviceError('InvalidConfig', {
      option,
      message: `${option} ${what}`,
      hint: 'Copy the key again, whole and on one line; it is shown once on the platform site.',
    }),
  );

/** What nobody may see, and how it is taken out of a text. */
export interface Secrets {
  readonly redact: (text: string) => string;
  /** Takes it out of frames and answers. */
  readonly redactValue: RedactValue;
  /** Hides a key of the client's own and the four before it, of which a service may still speak. */
  readonly addOwnKey: (key: string) => void;
  /** Hides a key that a submission carries, and the seven others that were carried last. */
  readonly addPartnerKey: (key: string) => void;
}

// Each costs time wherever a text is looked at, and some 200 KiB: a client that lives for years has thousands of them.
const mostOwned = 5;
const mostCarried = 8;

/** Makes {@link Secrets} without any. */
export const makeSecrets = (): Secrets => {
  const owned = new Set<string>();
  const carried = new Set<string>();
  /** One for each secret that is known, since its patterns are dear to compile. */
  const hides = new Map<string, Redact>();
  const hideOf = (secret: string): Redact => {
    const hide = hides.get(secret) ?? secretRedactor(secret);
    hides.set(secret, hide);
    return hide;
  };
  let redact: Redact = (text) => text;
  let redactValue = valueRedactor([]);
  const keep = (keys: Set<string>, key: string, most: number): void => {
    const isKnown = keys.delete(key);
    keys.add(key);
    const [oldest = key] = keys;
    if (keys.size > most) keys.delete(oldest);
    if (isKnown) return;
    const all = [...new Set([...owned, ...carried])];
    for (const secret of hides.keys()) if (!all.includes(secret)) hides.delete(secret);
    redact = redactorWith(hideOf, all);
    redactValue = valueRedactor(all, hideOf);
  };
  return {
    redact: (text) => redact(text),
    redactValue: (value, raw) => redactValue(value, raw),
    addOwnKey: (key) => keep(owned, key, mostOwned),
    addPartnerKey: (key) => keep(carried, key, mostCarried),
  };
};
