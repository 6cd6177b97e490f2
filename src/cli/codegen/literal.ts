import { isIdentifier, quoted } from '../types/text.js';

/** A value of JSON as code, which gives the same value when it runs. */
export const literal = (value: unknown): string => {
  if (typeof value === 'string') return singleQuoted(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${(value as readonly unknown[]).map(literal).join(', ')}]`;
  return typeof value === 'object' && value !== null ? objectLiteral(value) : String(value);
};

const objectLiteral = (members: object): string => {
  const codes = Object.entries(members).map(([name, value]) => `${memberCode(name)}: ${literal(value)}`);
  return codes.length === 0 ? '{}' : `{ ${codes.join(', ')} }`;
};

/** The name of a member in an object literal, where a plain `__proto__` would set the prototype. */
export const memberCode = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : isIdentifier(name) ? name : singleQuoted(name);

/** A string in single quotes, unless it has some itself. */
export const singleQuoted = (text: string): string => {
  const code = quoted(text);
  return text.includes("'") ? code : `'${code.slice(1, -1).replaceAll('\\"', '"')}'`;
};
