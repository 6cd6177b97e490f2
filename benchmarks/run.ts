import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { decode } from './decode.js';
import type { Benchmark, Row } from './row.js';

/** Runs all benchmarks and writes results.md, or the named ones only (`npm run bench -- decode`) and writes nothing. */
const benchmarks: readonly Benchmark[] = [decode];

const main = async (names: readonly string[]): Promise<void> => {
  const unknown = names.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    const known = benchmarks.map(({ name }) => name).join(', ');
    console.error(`No benchmark is called ${unknown.join(', ')}; there are: ${known}.`);
    process.exitCode = 2;
    return;
  }
  const sections: string[] = [];
  for (const benchmark of benchmarks) {
    if (names.length > 0 && !names.includes(benchmark.name)) continue;
    const section = sectionOf(benchmark, await benchmark.run());
    console.log(section);
    sections.push(section);
  }
  if (names.length === 0) writeFileSync(resultsFile, [heading(), ...sections].join('\n'));
};

const resultsFile = new URL('results.md', import.meta.url);

const sectionOf = ({ name, title }: Benchmark, rows: readonly Row[]): string =>
  [
    `## ${name}`,
    '',
    title,
    '',
    ...table([
      ['what', 'unit', 'promptwire', 'baseline', 'ratio', 'MB/s'],
      ...rows.map((row) => [
        row.what,
        row.unit,
        grouped(row.ours),
        grouped(row.baseline),
        row.ratio.toFixed(2),
        row.megabytesPerSecond === undefined ? '' : grouped(row.megabytesPerSecond),
      ]),
    ]),
    '',
  ].join('\n');

const table = (cells: readonly (readonly string[])[]): string[] => {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(cells[0] ?? []), rule, ...cells.slice(1).map(line)];
};

const pad = (cell: string, width: number, column: number): string =>
  column < 2 ? cell.padEnd(width) : cell.padStart(width);

const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

const heading = (): string => {
  const versions = ['rxjs', 'fp-ts', 'io-ts', 'ws', 'undici'].map((name) => `${name} ${versionOf(name)}`);
  const processors = cpus();
  return [
    '# Benchmark results',
    '',
    'Written by `npm run bench`. Both ways run in turns in one process, each figure is the median of its rounds; the',
    'ratio is promptwire of baseline, so 1 is as fast and more is faster.',
    '',
    `- promptwire ${versionOfPackage()} at ${commit()}; ${versions.join(', ')}`,
    `- Node ${process.versions.node}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}`,
    `- ${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `- ${new Date().toISOString().slice(0, 10)}`,
    '',
  ].join('\n');
};

const versionIn = (file: URL): string =>
  (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

const versionOf = (name: string): string =>
  versionIn(new URL(`../node_modules/${name}/package.json`, import.meta.url));

const versionOfPackage = (): string => versionIn(new URL('../package.json', import.meta.url));

const commit = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'an unknown commit';
  }
};

await main(process.argv.slice(2));
