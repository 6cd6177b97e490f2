// Says what the page of the studio weighs, as it is built in dist, and fails where its first view or all of it is too much.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** In bytes, each file compressed by gzip. */
const limits = { firstView: 60_000, all: 180_000 };

const folder = new URL('../dist/studio/', import.meta.url);
const files = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const),
);

/** The files that a file asks for as soon as it is loaded. */
const askedBy = (name: string): readonly string[] => {
  const text = files.get(name) ?? '';
  const names = name.endsWith('.html')
    ? [...text.matchAll(/(?:src|href)="studio\/([^"]+)"/gu)]
    : [...text.matchAll(/(?:\bfrom|^import|;import)\s*"\.\/([^"]+)"/gu)];
  return names.flatMap(([, asked]) => (asked === undefined ? [] : [asked]));
};

const firstView = new Set(['index.html']);
for (const name of firstView) for (const asked of askedBy(name)) firstView.add(asked);

const weightOf = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(files.get(name) ?? '', { level: 9 }).length, 0);

const report = (what: string, bytes: number, limit: number): void => {
  console.log(`${(bytes / 1000).toFixed(2).padStart(6)} kB  ${what} (at most ${limit / 1000} kB)`);
  if (bytes <= limit) return;
  console.error(`The studio weighs more than it may: ${what}.`);
  process.exitCode = 1;
};
report(`the first view of the studio, ${firstView.size} files`, weightOf(firstView), limits.firstView);
report(`all of the studio, ${files.size} files`, weightOf(files.keys()), limits.all);
if (firstView.size < 3) throw new Error('The document of the studio names no script or no style.');
