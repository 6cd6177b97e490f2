import { writeExactJson } from './exact-json.js';

/** The values that are being written once, each with what gives its text. */
const held = /* @__PURE__ */ new WeakMap<object, () => string>();

/**
 * Lets {@link textOf} and {@link writeMembers} write a value at most once, until the function that it returns is called.
 *
 * The value must not change meanwhile: a caller's own object, which the caller may change, is no such value.
 *
 * @param variant - The same value with some members replaced: the members that both have are written once for the two.
 */
export const writeOnce = (value: object, variant = value): (() => void) => {
  let texts: readonly [string, string] | undefined;
  const both = () => (texts ??= variant === value ? [writeExactJson(value), ''] : writeBoth(value, variant));
  const ofVariant = (): string => both()[1];
  const ofValue = (): string => both()[0];
  held.set(variant, ofVariant);
  held.set(value, ofValue);
  return () => {
    // A second holder of the same value may go on.
    if (held.get(variant) === ofVariant) held.delete(variant);
    if (held.get(value) === ofValue) held.delete(value);
  };
};

/** Whether a value is written once now, and so does not change. */
export const isWrittenOnce = (value: unknown): boolean => held.has(value as object);

/** Writes a value as `writeExactJson` does, or takes the text that an earlier writer has made of it. */
export const textOf = (value: unknown): string => {
  const text = held.get(value as object);
  return text === undefined ? writeExactJson(value) : text();
};

/**
 * Writes an object of JSON as `writeExactJson` does, with the texts of those members, or members of members, that are written once. A member
 * that is undefined is left out.
 */
export const writeMembers = (members: object): string => {
  const texts = Object.entries(members)
    .filter(([, member]) => member !== undefined)
    .map(
      ([name, member]) =>
        `${JSON.stringify(name)}:${hasHeld(member) ? writeMembers(member) : textOf(member)}`,
    );
  return `{${texts.join(',')}}`;
};

const hasHeld = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !isWrittenOnce(value) &&
  !Array.isArray(value) &&
  Object.values(value).some(isWrittenOnce);

/** Writes two objects that share members: each run of shared ones once. */
const writeBoth = (one: object, other: object): readonly [string, string] => {
  const members: readonly Member[] = Object.entries(one);
  const others = new Map<string, unknown>(Object.entries(other));
  if (others.size !== members.length || !members.every(([name]) => others.has(name)))
    return [writeExactJson(one), writeExactJson(other)];
  const texts: string[] = [];
  const otherTexts: string[] = [];
  let shared: Member[] = [];
  const writeShared = (): void => {
    const text = insideOf(shared);
    texts.push(...text);
    otherTexts.push(...text);
    shared = [];
  };
  for (const [name, member] of members) {
    const variant = others.get(name);
    if (variant === member) shared.push([name, member]);
    else {
      writeShared();
      texts.push(...insideOf([[name, member]]));
      otherTexts.push(...insideOf([[name, variant]]));
    }
  }
  writeShared();
  return [`{${texts.join(',')}}`, `{${otherTexts.join(',')}}`];
};

type Member = readonly [name: string, value: unknown];

/** The text of members without the braces; none where nothing of them is written. */
const insideOf = (members: readonly Member[]): readonly string[] => {
  const text = writeExactJson(Object.fromEntries(members)).slice(1, -1);
  return text === '' ? [] : [text];
};
