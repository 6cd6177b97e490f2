import { redactor } from '../node.js';

/** Keeps keys out of everything that the command writes. */
export interface Hider {
  /** The text without the known keys, in any encoding, and without words that look like one. */
  readonly hide: (text: string) => string;
  /** Hides this key as well. */
  readonly learn: (apiKey: string | undefined) => void;
  /** Lets a key be shown that is not secret: the emulator's own. */
  readonly publish: (apiKey: string) => void;
}

/** A hider that knows the key of the environment: errors may be reported before any setting is read. */
export const openHider = (env: Readonly<Record<string, string | undefined>>): Hider => {
  const known = new Set<string>();
  const published = new Set<string>();
  let redact = redactor([]);
  const renew = (): void => {
    redact = redactor([...known].filter((key) => !published.has(key)));
  };
  const learn = (apiKey = ''): void => {
    if (apiKey.length < shortest || known.has(apiKey)) return;
    known.add(apiKey);
    renew();
  };
  learn(env['PROMPTWIRE_API_KEY']?.trim());
  return {
    hide: (text) => redact(text).replace(lookalike, (word) => (published.has(word) ? word : '[redacted]')),
    learn,
    publish: (apiKey) => {
      published.add(apiKey);
      renew();
    },
  };
};

/** A shorter key could be a word, and hiding it would spoil every line; no service gives such keys. */
const shortest = 8;

/** A character as it is, percent encoded (also twice), or escaped as in JSON and logs. Both are patterns: of it, and of its code. */
const spelled = (character: string, code: string): string =>
  `(?:${character}|(?:%(?:25)*|\\\\{1,4}(?:u00|x))${code})`;

/** The hosted service's keys begin like this; names of files may do so too, but hold no such run of digits. */
const lookalike = new RegExp(
  Array.from('comfyui-', (letter) => spelled(letter, letter.charCodeAt(0).toString(16))).join('') +
    `${spelled('[\\da-f]', '(?:3\\d|[46][1-6])')}{32,}`,
  'giu',
);
