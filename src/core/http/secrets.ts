import { type Redact, secretRedactor, redactorWith } from '../redaction/redact.js';
import { type RedactValue, valueRedactor } from '../redaction/redact-value.js';

/** The keys of a client, and how they are redacted. */
export interface Secrets {
  readonly redact: (text: string) => string;
  /** Redacts the keys in frames and answers. */
  readonly redactValue: RedactValue;
  /** Adds an API key; it and the four before it are redacted, as the service may still quote them. */
  readonly addOwnKey: (key: string) => void;
  /** Adds the partner key of a submission; it and the seven before it are redacted. */
  readonly addPartnerKey: (key: string) => void;
  /** Adds the secrets of the client's own headers; those and the three different sets before them are redacted. */
  readonly addHeaders: (secrets: readonly string[]) => void;
}

// Each key costs time for each text that is searched, and some 200 KiB; a client that runs for years sees thousands.
const maxOwnKeys = 5;
const maxPartnerKeys = 8;
const maxHeaderSets = 4;

/** Makes {@link Secrets} without a key. */
export const makeSecrets = (): Secrets => {
  const ownKeys = new Set<string>();
  const partnerKeys = new Set<string>();
  /** Each set as one text: a header has no line break. */
  const headerSets = new Set<string>();
  /** One redactor for each secret: compiling its patterns is slow. */
  let redactors: ReadonlyMap<string, Redact> = new Map();
  const redactorOf = (secret: string): Redact => redactors.get(secret) ?? secretRedactor(secret);
  let redact: Redact = (text) => text;
  let redactValue = valueRedactor([]);
  const keep = (keys: Set<string>, key: string, most: number): void => {
    const isKnown = keys.delete(key);
    keys.add(key);
    const [oldest = key] = keys;
    if (keys.size > most) keys.delete(oldest);
    if (isKnown) return;
    const ofHeaders = [...headerSets].flatMap((secrets) => secrets.split('\n'));
    const all = [...ownKeys, ...partnerKeys, ...ofHeaders];
    redactors = new Map(all.map((secret) => [secret, redactorOf(secret)]));
    redact = redactorWith(redactorOf, all);
    redactValue = valueRedactor(all, redactorOf);
  };
  return {
    redact: (text) => redact(text),
    redactValue: (value, raw) => redactValue(value, raw),
    addOwnKey: (key) => keep(ownKeys, key, maxOwnKeys),
    addPartnerKey: (key) => keep(partnerKeys, key, maxPartnerKeys),
    addHeaders: (secrets) => keep(headerSets, secrets.join('\n'), maxHeaderSets),
  };
};
