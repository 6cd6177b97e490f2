import assert from 'node:assert/strict';

/** A JSON object, or a failure that names the place. */
export const object = (value: unknown, place: string): Record<string, unknown> => {
  assert.ok(isObject(value), `${place} is an object, not ${show(value)}`);
  return value;
};

/** A JSON array, or a failure that names the place. */
export const list = (value: unknown, place: string): readonly unknown[] => {
  assert.ok(Array.isArray(value), `${place} is a list, not ${show(value)}`);
  return value as readonly unknown[];
};

/** A string, or a failure that names the place. */
export const text = (value: unknown, place: string): string => {
  assert.ok(typeof value === 'string', `${place} is a text, not ${show(value)}`);
  return value;
};

/** A string with at least one character. */
export const filledText = (value: unknown, place: string): string => {
  const filled = text(value, place);
  assert.notEqual(filled, '', `${place} is not empty`);
  return filled;
};

/** A finite number, or a failure that names the place. */
export const number = (value: unknown, place: string): number => {
  assert.ok(typeof value === 'number' && Number.isFinite(value), `${place} is a number, not ${show(value)}`);
  return value;
};

/** A whole number that is not negative. */
export const count = (value: unknown, place: string): number => {
  const whole = number(value, place);
  assert.ok(Number.isInteger(whole) && whole >= 0, `${place} is a count, not ${whole}`);
  return whole;
};

/** `true` or `false`, or a failure that names the place. */
export const flag = (value: unknown, place: string): boolean => {
  assert.ok(typeof value === 'boolean', `${place} is a boolean, not ${show(value)}`);
  return value;
};

/** A list of strings. */
export const texts = (value: unknown, place: string): readonly string[] =>
  list(value, place).map((entry, index) => text(entry, `${place}[${index}]`));

/** Milliseconds since 1970 of this century: seconds or text would not do. */
export const milliseconds = (value: unknown, place: string): number => {
  const instant = count(value, place);
  assert.ok(instant > 1e12 && instant < 1e13, `${place} is in milliseconds since 1970, not ${instant}`);
  return instant;
};

/** An ISO 8601 instant, as milliseconds since 1970. */
export const instant = (value: unknown, place: string): number => {
  const iso = text(value, place);
  assert.match(iso, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/, `${place} is an ISO 8601 time`);
  return milliseconds(Date.parse(iso), place);
};

/** A UUID. */
export const uuid = (value: unknown, place: string): string => {
  const id = text(value, place);
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, `${place} is a UUID`);
  return id;
};

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** No word is cut through: a key in it is redacted later, which takes the key whole. */
const show = (value: unknown): string => {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= maxShown ? text : text.slice(0, maxShown).replace(/[^\s"',]{0,200}$/u, '');
};

const maxShown = 200;
