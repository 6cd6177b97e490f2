import { serviceError } from '../../core/errors/service-error.js';

/** The placeholders of a pattern; docs/guide/command.md has the same table. */
export const placeholders = [
  'name',
  'title',
  'node',
  'class',
  'kind',
  'seed',
  'index',
  'date',
  'time',
  'prompt',
  'ext',
] as const;

/** A value for each placeholder. */
export type NameValues = Readonly<Record<(typeof placeholders)[number], string>>;

/** Makes a file name of the values. */
export type NamePattern = (values: NameValues) => string;

/** Reads a pattern such as `{title}-{index}`; throws `InvalidConfig`, which lists the placeholders where the pattern has another one. */
export const readNamePattern = (text: string): NamePattern => {
  if (text.trim() === '') throw invalid('A pattern of names is a text such as {title}-{seed}-{index}.');
  if (/[\\/]/u.test(text)) throw invalid('A pattern names files and no folders, so it has no slash.');
  const unknown = [...text.matchAll(placeholder)].find(([, name = '']) => !isPlaceholder(name));
  if (unknown !== undefined) {
    const known = placeholders.map((name) => `{${name}}`).join(', ');
    throw invalid(`${unknown[0]} is not known; the placeholders are ${known}.`);
  }
  return (values) => withExtension(filled(text, values), values.ext);
};

const invalid = (message: string): Error =>
  serviceError('InvalidConfig', { option: 'name', message, hint: 'Write another pattern of file names.' });

const placeholder = /\{([^{}]*)\}/gu;

const isPlaceholder = (name: string): name is keyof NameValues =>
  placeholders.some((known) => known === name);

const filled = (text: string, values: NameValues): string =>
  text.replace(placeholder, (_, name: string) => (isPlaceholder(name) ? inName(values[name]) : ''));

/** Replaces slashes and whitespace in a value, so that it names no folder and needs no quotes. */
const inName = (value: string): string => value.trim().replace(/[\\/\s]+/gu, '_');

const withExtension = (name: string, extension: string): string =>
  extension === '' || name.toLowerCase().endsWith(`.${extension.toLowerCase()}`)
    ? name
    : `${name}.${extension}`;
