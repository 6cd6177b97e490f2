/** A float of a definition or an input, which Python writes with a decimal point even where it is whole. */
export const floatText = (value: number): string => {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value);
};

/** A JSON value as Python's `str` writes it: texts bare, others as {@link reprOf} does. */
export const strOf = (value: unknown): string => (typeof value === 'string' ? value : reprOf(value));

/** A JSON value as Python's `repr` writes it: `'a'`, `None`, `True`, `['a', 1]`, `{'b': None}`. */
export const reprOf = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : floatText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(reprOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${quoted(name)}: ${reprOf(member)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'bigint' ? String(value) : 'None';
};

const quoted = (text: string): string => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return text.includes("'") && !text.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
};

/** The name of a JSON value's type in Python. */
export const typeNameOf = (value: unknown): string => {
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (Array.isArray(value)) return 'list';
  return value === null || value === undefined ? 'NoneType' : 'dict';
};
