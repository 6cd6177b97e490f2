import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { peersMissing, peersRoot } from '../peers/install-peers.js';
import type { Outcome } from './section.js';

/** What was measured, where and when. */
export const heading = async (outcomes: readonly Outcome[]): Promise<string> => {
  const missing = await peersMissing();
  const peers =
    missing ??
    Object.keys(dependenciesOfPeers())
      .map((name) => `${name} ${versionOf(name, peersRoot)}`)
      .join(', ');
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  return [
    '# Benchmark results',
    '',
    'Written by `npm run bench`. All ways of the same work run in turns in one process, each figure is the median of its',
    'rounds; the ratio is promptwire of the other, the median of the ratios of the rounds. What sends is another process,',
    'and what memory grows by is looked at in a new process.',
    '',
    `- promptwire ${versionIn(new URL('package.json', root))} at ${commit()}`,
    `- ${['rxjs', 'fp-ts', 'io-ts', 'ws', 'undici'].map((name) => `${name} ${versionOf(name, root)}`).join(', ')}`,
    `- peers: ${peers}`,
    `- Node ${process.versions.node}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}`,
    `- ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `- load of the machine before: ${(loadBefore[0] ?? NaN).toFixed(1)} programs that wanted to run`,
    `- ${new Date().toISOString().slice(0, 10)}, in ${Math.ceil(seconds / 60)} minutes`,
    '',
  ].join('\n');
};

/** The commit, the day, and how busy the machine was. */
export const whenMeasured = (): string =>
  `${commit()} on ${new Date().toISOString().slice(0, 10)}, load before ${(loadBefore[0] ?? NaN).toFixed(1)}`;

const root = new URL('../../', import.meta.url);

/** Whoever reads the figures sees whether other programs disturbed them. */
const loadBefore = loadavg();

const versionIn = (file: URL): string =>
  (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

const versionOf = (name: string, folder: URL): string =>
  versionIn(new URL(`node_modules/${name}/package.json`, folder));

const dependenciesOfPeers = (): Readonly<Record<string, string>> =>
  (
    JSON.parse(readFileSync(new URL('benchmarks/package.json', root), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    }
  ).dependencies;

/** With a mark where the sources are not those of the commit. */
const commit = (): string => {
  try {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { encoding: 'utf8' }).trim();
    const isChanged = git('status', '--porcelain', '--', 'src') !== '';
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '');
  } catch {
    return 'an unknown commit';
  }
};
