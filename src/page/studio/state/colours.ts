import type { FieldControl } from '../../../workflow.js';

/** A colour as the control of a page takes it, `#ff8800`; black for any other value. */
export const colourText = (value: unknown): string => {
  if (typeof value === 'string' && /^#[0-9a-f]{6}$/iu.test(value)) return value.toLowerCase();
  const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
  const isColour = Number.isInteger(number) && number >= 0 && number <= 0xffffff;
  return `#${(isColour ? number : 0).toString(16).padStart(6, '0')}`;
};

/** The colour as the service takes it: a number where the input is one. */
export const colourValue = (text: string, control: FieldControl): string | number =>
  control === 'integer' ? Number.parseInt(text.slice(1), 16) : text;
