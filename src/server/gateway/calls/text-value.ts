/** The value that a text of a form stands for, where a value of this type belongs; any other text stays as it is. */
export const textValue = (text: string, type: unknown): unknown => {
  if (type === 'number' || type === 'integer') {
    return text.trim() === '' || !Number.isFinite(Number(text)) ? text : exact(text);
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/** Seeds may be larger than a number holds exactly. */
const exact = (text: string): number | bigint =>
  /^\s*-?\d+\s*$/u.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text.trim()) : Number(text);
