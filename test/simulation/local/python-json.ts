/** JSON as the local server writes it: blanks after separators, ASCII only, and bare `NaN` and `Infinity`. */
export const pythonJson = (value: unknown): string => {
  if (typeof value === 'string') return ascii(JSON.stringify(value));
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${pythonJson(name)}: ${pythonJson(member)}`).join(', ')}}`;
  }
  return value === true || value === false ? String(value) : 'null';
};

const ascii = (json: string): string =>
  json.replace(
    /[\u007f-\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
