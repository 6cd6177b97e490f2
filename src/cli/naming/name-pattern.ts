import { UsageError } from '../cli-io.js';

/** The placeholders of `--name`; docs/cli.md has the same table. */
export const placeholders = ['name', 'title', 'node', 'class', 'seed', 'index', 'prompt', 'ext'] as const;

/** A value for each placeholder. */
export type NameValues = Readonly<Record<(typeof placeholders)[number], string>>;

/** Makes a file name of the values. */
export type NamePattern = (values: NameValues) => string;

/** Reads the pattern of `--name`; throws a `UsageError` that lists the placeholders where it has another one. */
export const readNamePattern = (text: string): NamePattern => {
  if (text.trim() === '') throw new UsageError('--name takes a pattern such as {title}-{seed}-{index}');
  if (/[\\/]/u.test(text)) {
    throw new UsageError('--name names files, not folders: the folder is chosen with --out');
  }
  const unknown = [...text.matchAll(placeholder)].find(([, name = '']) => !isPlaceholder(name));
  if (unknown !== undefined) {
    const known = placeholders.map((name) => `{${name}}`).join(', ');
    throw new UsageError(`--name: ${unknown[0]} is not known; the placeholders are ${known}`);
  }
  return (values) => withExtension(filled(text, values), values.ext);
};

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
