import { writeExactJson } from './exact-json.js';

/** The values that are being written once, each with its text from the first writing on. */
const held = /* @__PURE__ */ new WeakMap<object, { text?: string }>();

/**
 * Lets {@link textOf} and {@link writeMembers} write a value at most once, until the function that it returns is called.
 *
 * The value must not change meanwhile: a caller's own object, which the caller may change, is no such value.
 */
export const writeOnce = (value: object): (() => void) => {
  const own = {};
  held.set(value, own);
  return () => {
    // A second holder of the same value may go on.
    if (held.get(value) === own) held.delete(value);
  };
};

/** Whether a value is written once now, and so does not change. */
export const isWrittenOnce = (value: unknown): boolean => held.has(value as object);

/** Writes a value as `writeExactJson` does, or takes the text that an earlier writer has made of it. */
export const textOf = (value: unknown): string => {
  const own = held.get(value as object);
  return own === undefined ? writeExactJson(value) : (own.text ??= writeExactJson(value));
};

/** Writes an object of JSON as `writeExactJson` does, with the texts of those members that are written once; a member that is undefined is left out. */
export const writeMembers = (members: object): string => {
  const texts = Object.entries(members)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${texts.join(',')}}`;
};
