import type { OutputFile, Workflow } from '../../node.js';
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

/** Options of {@link nameFiles}. */
export interface NamingOptions {
  readonly promptId: string;
  readonly workflow?: Workflow | undefined;
  /** The pattern of `--name`; default: the service's name, or title and index where that is a hash. */
  readonly pattern?: NamePattern | undefined;
  /** Default 1. */
  readonly firstIndex?: number;
}

/** Names each file; `index` counts over the whole list. Names may be equal, and need to be made safe. */
export const nameFiles = (
  files: readonly OutputFile[],
  { promptId, workflow = {}, pattern, firstIndex = 1 }: NamingOptions,
): ReadonlyMap<OutputFile, string> =>
  new Map(
    files.map((file, at) => {
      if (pattern === undefined && !isHash(parts(file.filename).name)) return [file, file.filename];
      const values = valuesOf(file, workflow, { index: String(at + firstIndex), prompt: promptId });
      return [file, (pattern ?? titled)(values)];
    }),
  );

/** The pattern for files whose name is a hash. */
export const titled = readNamePattern('{title}-{index}');

/** Services that name files by their content use 128 bits or more. */
const isHash = (name: string): boolean => /^[\da-f]{32,}$/iu.test(name);

const valuesOf = (
  { nodeId, displayNodeId = nodeId, filename }: OutputFile,
  workflow: Workflow,
  known: Pick<NameValues, 'index' | 'prompt'>,
): NameValues => {
  const node = [displayNodeId, nodeId].find((id) => Object.hasOwn(workflow, id)) ?? displayNodeId;
  const { class_type: classType, _meta: meta } = workflow[node] ?? {};
  const unknown = `node_${displayNodeId}`;
  return {
    ...known,
    ...parts(filename),
    node: displayNodeId,
    class: classType ?? unknown,
    title: meta?.title ?? classType ?? unknown,
    seed: seedOf(workflow, node) ?? 'noseed',
  };
};

const parts = (filename: string): Pick<NameValues, 'name' | 'ext'> => {
  const dot = filename.lastIndexOf('.');
  return dot <= 0
    ? { name: filename, ext: '' }
    : { name: filename.slice(0, dot), ext: filename.slice(dot + 1) };
};

/**
 * The seed of a node: that of the nearest node upstream that has one, otherwise of the first node of the workflow that has one.
 *
 * An input `seed` or `noise_seed` counts, or the `value` of the node that it links to. A number that was rounded is no seed.
 */
export const seedOf = (workflow: Workflow, nodeId: string): string | undefined => {
  const seen = new Set<string>();
  const open = [nodeId];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const seed = ownSeed(workflow, next);
    if (seed !== undefined) return seed;
    open.push(...Object.values(inputsOf(workflow, next)).flatMap(linked));
  }
  return Object.keys(workflow)
    .map((id) => ownSeed(workflow, id))
    .find((seed) => seed !== undefined);
};

const inputsOf = (workflow: Workflow, nodeId: string): Readonly<Record<string, unknown>> =>
  Object.hasOwn(workflow, nodeId) ? (workflow[nodeId]?.inputs ?? {}) : {};

const ownSeed = (workflow: Workflow, nodeId: string): string | undefined => {
  const { seed, noise_seed: noiseSeed } = inputsOf(workflow, nodeId);
  const own = seed ?? noiseSeed;
  const [source] = linked(own);
  return integerText(source === undefined ? own : inputsOf(workflow, source)['value']);
};

/** The node that an input links to, if it is a link. */
const linked = (input: unknown): readonly string[] => {
  if (!Array.isArray(input)) return [];
  const [nodeId, slot] = input as readonly unknown[];
  return typeof nodeId === 'string' && typeof slot === 'number' ? [nodeId] : [];
};

const integerText = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/u.test(value) ? value : undefined;
};
