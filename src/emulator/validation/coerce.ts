/** A literal in the type that its input wants, or in words why it can't be. */
export type Coerced = { readonly value: unknown } | { readonly problem: string };

/** Converts a literal as the service does before it checks it: `"20"` is an INT, any text but the empty one is true. */
export const coerce = (type: string, value: unknown): Coerced => {
  switch (type) {
    case 'INT':
      return number(value, type, Math.trunc);
    case 'FLOAT':
      return number(value, type, (read) => read);
    case 'STRING':
      return { value: typeof value === 'string' ? value : textOf(value) };
    case 'BOOLEAN':
      return { value: isTruthy(value) };
    default:
      return { value };
  }
};

const number = (value: unknown, type: string, shape: (read: number) => number): Coerced => {
  const problem = { problem: `${textOf(value)} is no ${type}` };
  if (typeof value === 'boolean') return { value: Number(value) };
  if (typeof value === 'number') return { value: shape(value) };
  if (typeof value !== 'string' || value.trim() === '') return problem;
  const read = Number(value);
  if (!Number.isFinite(read) || (type === 'INT' && !/^\s*[+-]?\d+\s*$/.test(value))) return problem;
  return { value: shape(read) };
};

const isTruthy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
