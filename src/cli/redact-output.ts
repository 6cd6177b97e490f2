import { redactor } from '../node.js';

/** Redacts API keys in everything that the command writes. */
export interface OutputRedactor {
  /** Replaces the known keys, in any encoding, and words in the form of a key. */
  readonly redact: (text: string) => string;
  /** Redacts this key, or value of a header, as well. */
  readonly addSecret: (apiKey: string | undefined) => void;
  /** Allows a key that is not secret: the emulator's own. */
  readonly allow: (apiKey: string) => void;
}

/** A redactor of the key in the environment: errors may be reported before the settings are read. */
export const createOutputRedactor = (env: Readonly<Record<string, string | undefined>>): OutputRedactor => {
  const known = new Set<string>();
  const allowed = new Set<string>();
  let redact = redactor([]);
  const renew = (): void => {
    redact = redactor([...known].filter((key) => !allowed.has(key)));
  };
  const addSecret = (apiKey = ''): void => {
    // The token after a scheme such as `Bearer` is secret by itself.
    for (const secret of [apiKey, ...apiKey.split(/^\S+ +/u)]) {
      if (secret.length < minKeyLength || known.has(secret)) continue;
      known.add(secret);
      renew();
    }
  };
  addSecret(env['PROMPTWIRE_API_KEY']?.trim());
  return {
    redact: (text) => redact(text).replace(keyPattern, (word) => (allowed.has(word) ? word : '[redacted]')),
    addSecret,
    allow: (apiKey) => {
      allowed.add(apiKey);
      renew();
    },
  };
};

/** Shorter keys could be common words; no service issues them. */
const minKeyLength = 8;

/** Matches a character as it is, percent-encoded (also twice), or escaped as in JSON; both arguments are patterns. */
const encodedCharacter = (character: string, code: string): string =>
  `(?:${character}|(?:%(?:25)*|\\\\{1,4}(?:u00|x))${code})`;

/** The form of the hosted service's keys. File names may have the prefix, but not the run of digits. */
const keyPattern = new RegExp(
  Array.from('comfyui-', (letter) => encodedCharacter(letter, letter.charCodeAt(0).toString(16))).join('') +
    `${encodedCharacter('[\\da-f]', '(?:3\\d|[46][1-6])')}{32,}`,
  'giu',
);
