import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Change, Mutant } from './mutant.js';
import { all, declaredName } from './selectors.js';

/** A file of src, its path from the root of the repository. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const root = join(import.meta.dirname, '..', '..');

/** Every file of src. */
export const readSources = (): readonly SourceFile[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('src', path))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Where a mutant is, and what it changes there. */
export type Planted = Pick<Mutant, 'id' | 'in' | 'change'>;

/** The file that carries the mutant, with it; throws where src holds one of its places not exactly once. */
export const plant = (mutant: Planted, sources = readSources()): SourceFile => {
  const names = mutant.in.split('.');
  const declarations = sources
    .filter(({ text }) => names.every((name) => text.includes(name)))
    .flatMap((source) => declarationsIn(source, names));
  if (declarations.length === 0) throw lost(mutant, `src declares no ${mutant.in}`);
  const places = [mutant.change].flat().map((change) => placeOf(mutant, change, declarations));
  const { source } = places[0]!;
  const text = places
    .toSorted((one, other) => other.start - one.start)
    .reduce((before, { start, end, to }) => before.slice(0, start) + to + before.slice(end), source.text);
  return { file: source.file, text };
};

interface Declaration {
  readonly source: SourceFile;
  readonly node: ts.Node;
}

interface Place {
  readonly source: SourceFile;
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** The declarations of the last name that stand within those of the others. */
const declarationsIn = (source: SourceFile, names: readonly string[]): readonly Declaration[] =>
  nodesOf(source)
    .filter((node) => declaredName(node) === names.at(-1) && standsWithin(node, names.slice(0, -1)))
    .map((node) => ({ source, node }));

/** A file is parsed once for all mutants. */
const parsed = new WeakMap<SourceFile, readonly ts.Node[]>();

const nodesOf = (source: SourceFile): readonly ts.Node[] => {
  const nodes =
    parsed.get(source) ?? all(ts.createSourceFile(source.file, source.text, ts.ScriptTarget.ES2022, true));
  parsed.set(source, nodes);
  return nodes;
};

const standsWithin = (node: ts.Node, names: readonly string[]): boolean => {
  const left = [...names];
  ts.findAncestor(node.parent, (outer) => {
    if (declaredName(outer) === left.at(-1)) left.pop();
    return left.length === 0;
  });
  return left.length === 0;
};

const placeOf = (mutant: Planted, { at, to }: Change, declarations: readonly Declaration[]): Place => {
  const found = new Map<string, Place>();
  for (const { source, node } of declarations) {
    for (const place of at.find(node)) {
      const [start, end] = [place.getStart(), place.end];
      found.set(`${source.file}:${start}`, { source, start, end, to: to(source.text.slice(start, end)) });
    }
  }
  const [only] = found.values();
  if (only !== undefined && found.size === 1) return only;
  const files = [...new Set(declarations.map(({ source }) => source.file))].join(', ');
  throw lost(mutant, `${mutant.in} in ${files} has the ${at.what} ${found.size} times, not once`);
};

const lost = ({ id }: Planted, why: string): Error =>
  new Error(`The mutant ${id} has lost its anchor: ${why}. Anchor it where the bug would be made today.`);
