/** A number that is written with its decimal point even where it is whole, as `7.0`. */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * Writes JSON as Python's `json.dumps` does: `", "` and `": "`, everything but ASCII escaped by its code, and numbers that JSON
 * does not know as the bare words `NaN`, `Infinity` and `-Infinity`. Members that are `undefined` are left out.
 */
export const pythonJson = (value: unknown): string => {
  if (typeof value === 'string') return ascii(JSON.stringify(value));
  if (typeof value === 'number') return String(Object.is(value, -0) ? 0 : value);
  if (value instanceof PythonFloat) return float(value.value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${pythonJson(name)}: ${pythonJson(member)}`).join(', ')}}`;
  }
  return value === true || value === false ? String(value) : 'null';
};

const float = (value: number): string => {
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? value.toFixed(1) : value.toExponential();
  return String(value);
};

const ascii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A JSON value as Python's `float` reads it; whatever it can't read is the server's own trouble. */
export const pythonNumber = (value: unknown): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  throw new ServerTrouble(`could not convert to float: ${JSON.stringify(value)}`);
};

/** A JSON value as Python's `str` writes it, as far as ids are concerned: `None`, `True`, numbers and texts. */
export const pythonText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  return typeof value === 'number' || value instanceof PythonFloat
    ? String(value instanceof PythonFloat ? value.value : value)
    : JSON.stringify(value);
};

/** Something that the local server did not expect: the answer is 500 with two lines of plain text. */
export class ServerTrouble extends Error {
  override readonly name = 'ServerTrouble';
}
