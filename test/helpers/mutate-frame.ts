import { joinBytes } from './join-bytes.js';

/** Random numbers from a seed (xorshift32), so that a failing mutation can be had again. */
export const randomInts = (seed: number): ((below: number) => number) => {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
};

type Random = ReturnType<typeof randomInts>;

/** Spoils a frame in one to four places. */
export const mutateFrame = (wire: string | Uint8Array, random: Random): string | Uint8Array => {
  let mutant = wire;
  for (let times = 1 + random(4); times > 0; times -= 1) {
    mutant = typeof mutant === 'string' ? mutateText(mutant, random) : mutateBytes(mutant, random);
  }
  return mutant;
};

const lengths = [0, 1, 2, 3, 4, 36, 255, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

const mutateBytes = (bytes: Uint8Array, random: Random): Uint8Array => {
  const at = random(bytes.length + 1);
  const before = bytes.subarray(0, at);
  switch (random(6)) {
    case 0:
      return before.slice();
    case 1:
      return joinBytes(before, bytes.subarray(at + 1 + random(8)));
    case 2:
      return joinBytes(
        before,
        Uint8Array.from({ length: 1 + random(8) }, () => random(256)),
        bytes.subarray(at),
      );
    case 3:
      return joinBytes(before, Uint8Array.of(random(256)), bytes.subarray(at + 1));
    case 4: {
      const copy = joinBytes(bytes, new Uint8Array(Math.max(0, 8 - bytes.length)));
      const place = 4 * random(Math.min(16, Math.floor(copy.length / 4)));
      new DataView(copy.buffer).setUint32(place, lengths[random(lengths.length)] ?? 0);
      return copy;
    }
    default:
      return joinBytes(before, bytes);
  }
};

const tokens = [
  'null',
  'NaN',
  '-Infinity',
  '[]',
  '{}',
  '""',
  '0',
  '-1',
  '1e999',
  '"',
  '\\',
  '\\u00',
  '\\"',
  '}',
  ']',
];
const moreTokens = [
  '"__proto__":',
  '"type":',
  '"prompt_id":',
  ',',
  ':',
  '\u0000',
  '\ud800',
  '\u202e',
  '\u001b[31m',
];
const allTokens = [...tokens, ...moreTokens];

const mutateText = (text: string, random: Random): string => {
  const at = random(text.length + 1);
  const token = allTokens[random(allTokens.length)] ?? '';
  switch (random(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random(8));
    case 2:
      return text.slice(0, at) + token + text.slice(at);
    case 3:
      return replaceValue(text, at, token);
    case 4:
      return text.slice(0, at) + String.fromCharCode(random(65_536)) + text.slice(at + 1);
    default:
      return text.slice(0, at) + text;
  }
};

/** Puts the token in the place of the next value, so that many mutants stay JSON. */
const replaceValue = (text: string, from: number, token: string): string => {
  const colon = text.indexOf(':', from);
  if (colon === -1) return text + token;
  const end = text.slice(colon + 1).search(/[,}\]]/);
  return end === -1
    ? text.slice(0, colon + 1) + token
    : text.slice(0, colon + 1) + token + text.slice(colon + 1 + end);
};
