import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { startEmulator } from '../../src/emulator.js';
import { peersMissing, peersRoot } from '../peers/install-peers.js';
import { type ClientName, clients } from './clients.js';
import { keepTable } from './keep-table.js';
import { observe } from './observe.js';
import { playPools } from './pools/play-pools.js';
import { type CompareRow, endWord, rows } from './rows.js';
import { installedPackages, versionOf } from './packages.js';

/**
 * `npm run compare` runs every row with every client and writes the table into the README, and the one of the pools into
 * the page of the benchmarks; with words it runs the rows that have one of them in their names and writes nothing, and
 * `pools` runs the pools, whose table `--keep pools` writes. Each cell is a run of its own: a new service and a new process.
 */
const main = async (args: readonly string[]): Promise<void> => {
  const words = args.filter((arg) => arg !== '--keep');
  const missing = await peersMissing();
  if (missing !== undefined) throw new Error(missing);
  if (words.length === 0 || words.includes('pools')) {
    const table = await playPools();
    if (words.length === 0 || args.includes('--keep'))
      await keepTable(poolsPage, 'npm run compare, pools', table);
    if (words.length > 0) return;
  }
  const names = Object.keys(clients) as ClientName[];
  const chosen = rows.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)));
  const table: string[][] = [['', ...names.map((name) => `${name} ${versionOf(name)}`)]];
  for (const row of chosen) {
    const cells: string[] = [];
    for (const name of names) cells.push(await cell(row, name));
    table.push([row.what, ...cells]);
    console.log(table.at(-1)?.join(' | '));
  }
  if (words.length > 0) return;
  table.push(['packages that come along', ...names.map((name) => `${installedPackages(name)}`)]);
  table.push(['weight in a page, gzip', ...(await Promise.all(names.map(weight)))]);
  await keepTable(readme, 'npm run compare', table);
};

const readme = new URL('../../README.md', import.meta.url);
const poolsPage = new URL('../README.md', import.meta.url);

const cell = async (row: CompareRow, client: ClientName): Promise<string> => {
  const { options, workflow, meanwhile = () => Promise.resolve(), word } = row;
  await using emulator = await startEmulator({ dialect: 'local', speed: 1, ...options });
  const apiKey = emulator.dialect === 'cloud' ? { apiKey: emulator.apiKey } : {};
  const observed = await observe(emulator, { client, workflow, ...apiKey }, meanwhile);
  return word === undefined ? endWord(observed) : word(observed, emulator, client);
};

/** Everything that the package's main entry brings into a page that imports all of it. */
const weight = async (name: ClientName): Promise<string> => {
  const from = name === 'promptwire' ? new URL('../../src/browser.ts', import.meta.url).pathname : name;
  const contents = `import * as all from ${JSON.stringify(from)}; globalThis.all = all;`;
  try {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: name === 'promptwire' ? '.' : peersRoot.pathname },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    });
    return `${(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length / 1000).toFixed(0)} kB`;
  } catch {
    return 'not for pages';
  }
};

await main(process.argv.slice(2));
