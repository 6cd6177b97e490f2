import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { declarationsOf } from '../src/cli/types/declarations.js';
import type { Benchmark, Row } from './row.js';
import { askFreshProcess } from './tools/child.js';
import { inTurns } from './tools/in-turns.js';
import { median } from './tools/median.js';
import type { MemoryAnswer } from './tools/memory.js';
import { definitionBytes } from './tools/workflow-inputs.js';

const classes = 5000;
const heapMiB = 64;
const root = new URL('..', import.meta.url);
const folder = new URL('temp/types/', root);
const run = promisify(execFile);

/** What the types of many node classes cost: to write, to compile, to complete. */
export const types: Benchmark = {
  name: 'types',
  title:
    'Declarations of 5,000 node classes (50 MB of JSON): to write them, and a program that uses them. Baselines: `JSON.parse` of the whole; `tsc` of the same program where the declarations have `unknown` in place of every type; a graph whose class is an argument.',
  run: async () => {
    await writeProject();
    return [
      await writing(),
      await memory(),
      await compiling('TypeScript 7', '@typescript/native/bin/tsc'),
      await compiling('TypeScript 6', 'typescript/bin/tsc6'),
      await byName(),
      completing('inputs of a node', 'cfg: 7, '),
      completing('choices of an input', "sampler_name: '"),
      completing('classes of a graph', 'g.'),
    ];
  },
};

const program = (module: string, call: (name: string) => string): string => `
import { graph } from 'promptwire/workflow';
import type { Nodes } from './${module}.js';
const g = graph<Nodes>();
const fixed = { steps: 20, file: 'models/pack-0-7.safetensors', text: 'dusk' } as const;
const other = { ...fixed, file: 'models/pack-1-7.safetensors' } as const;
const first = ${call('Sampler')}{ ...fixed, model: g.raw(['9', 0]), seed: 7n, cfg: 7, sampler_name: 'euler' });
const second = ${call('Save')}{ ...other, model: first.MODEL_0, seed: 7, cfg: 7, sampler_name: 'heun' });
${Array.from({ length: 20 }, (_, at) => `const made${at} = ${call(`Class${at * 50 + 50}`)}{ ...fixed, model: ${at === 0 ? 'second' : `made${at - 1}`}[0], seed: ${at}, cfg: 7, sampler_name: 'ddim' });`).join('\n')}
export const workflow = g.workflow();
`;

const writeProject = async (): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const compiler = fileURLToPath(new URL('node_modules/@typescript/native/bin/tsc', root));
  const own = fileURLToPath(new URL('promptwire/', folder));
  const project = fileURLToPath(new URL('tsconfig.build.json', root));
  await run(process.execPath, [compiler, '-p', project, '--outDir', own]);
  let declarations = '';
  for await (const piece of declarationsOf(definitionBytes(classes))) declarations += piece;
  const files = {
    'nodes.d.ts': declarations,
    'unknown.d.ts': withoutTypes(declarations),
    'typed.ts': program('nodes', (name) => `g.${name}(`),
    'untyped.ts': program('unknown', (name) => `g.${name}(`),
    'named.ts': program('nodes', (name) => `g.node('${name}', `),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', types: [] },
    ...{
      module: 'esnext',
      moduleResolution: 'bundler',
      paths: { 'promptwire/*': ['./promptwire/*/index.d.ts'] },
    },
  };
  for (const name of ['typed', 'untyped', 'named'])
    await writeFile(
      new URL(`${name}.json`, folder),
      JSON.stringify({ compilerOptions, files: [`${name}.ts`] }),
    );
};

/** The same members, each of them `unknown`. */
const withoutTypes = (declarations: string): string =>
  declarations
    .replaceAll(/^( {2}readonly \w+\??): .*;$/gmu, '$1: unknown;')
    .replaceAll(/^export type (\w+) = .*;$/gmu, 'export type $1 = unknown;');

const compile = (compiler: string, project: string) => async (): Promise<undefined> => {
  const paths = [new URL(`node_modules/${compiler}`, root), new URL(`${project}.json`, folder)].map((url) =>
    fileURLToPath(url),
  );
  await run(process.execPath, [paths[0]!, '-p', paths[1]!]);
  return undefined;
};

const compiling = async (what: string, compiler: string): Promise<Row> => {
  const turns = await inTurns(
    { promptwire: compile(compiler, 'typed'), unknown: compile(compiler, 'untyped') },
    { rounds: 3, warmUps: 1 },
  );
  return {
    what: `tsc of a program, ${what}`,
    unit: 'ms',
    ours: turns.seconds('promptwire') * 1000,
    baseline: turns.seconds('unknown') * 1000,
    ratio: turns.ratio('promptwire', 'unknown'),
    target: { atMost: 2 },
  };
};

const byName = async (): Promise<Row> => {
  const compiler = '@typescript/native/bin/tsc';
  const turns = await inTurns(
    { promptwire: compile(compiler, 'typed'), named: compile(compiler, 'named') },
    { rounds: 3, warmUps: 1 },
  );
  return {
    what: 'tsc of g.Class(…), TypeScript 7',
    unit: 'ms',
    ours: turns.seconds('promptwire') * 1000,
    baseline: turns.seconds('named') * 1000,
    ratio: turns.ratio('promptwire', 'named'),
    against: "g.node('Class', …)",
  };
};

const writing = async (): Promise<Row> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of definitionBytes(classes)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const source = async function* () {
    for (let at = 0; at < bytes.length; at += 65_536)
      yield await Promise.resolve(bytes.subarray(at, at + 65_536));
  };
  const turns = await inTurns(
    {
      promptwire: async () => {
        let length = 0;
        for await (const piece of declarationsOf(source())) length += piece.length;
        return length > 0 ? undefined : NaN;
      },
      parse: () => {
        JSON.parse(bytes.toString('utf8'));
        return Promise.resolve(undefined);
      },
    },
    { rounds: 3, warmUps: 1 },
  );
  return {
    what: `${(bytes.length / 1e6).toFixed(0)} MB of definitions`,
    unit: 'ms',
    ours: turns.seconds('promptwire') * 1000,
    baseline: turns.seconds('parse') * 1000,
    ratio: turns.ratio('promptwire', 'parse'),
    megabytesPerSecond: bytes.length / 1e6 / turns.seconds('promptwire'),
  };
};

const memory = async (): Promise<Row> => {
  const limit = [`--max-old-space-size=${heapMiB}`];
  const { bytes } = await askFreshProcess<MemoryAnswer>('memory', { of: 'types', classes }, limit);
  return {
    what: `held at most, in a heap of ${heapMiB} MiB`,
    unit: 'MB',
    ours: bytes / 1e6,
    target: { atMost: heapMiB / 2 },
  };
};

/** How long an editor waits for a completion behind the last place of a text, after its first one. */
const completing = (what: string, place: string): Row => {
  const text = `${program('nodes', (name) => `g.${name}(`)}g.Sampler({ cfg: 7, sampler_name: '' });\n`;
  const [path, project] = ['typed.ts', 'typed.json'].map((name) => fileURLToPath(new URL(name, folder))) as [
    string,
    string,
  ];
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(project, (name) => ts.sys.readFile(name)).config,
    ts.sys,
    fileURLToPath(folder),
  );
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [path],
    getScriptVersion: (name) => (name === path ? String(version) : '0'),
    getScriptSnapshot: (name) => {
      const content = name === path ? `${text}${' '.repeat(version)}` : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => fileURLToPath(folder),
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
  });
  const times = Array.from({ length: 9 }, () => {
    version += 1;
    const started = performance.now();
    const found = service.getCompletionsAtPosition(path, text.lastIndexOf(place) + place.length, {});
    if (found === undefined || found.entries.length === 0) throw new Error(`no completion of ${what}`);
    return performance.now() - started;
  });
  return {
    what: `completion of ${what}, after a change`,
    unit: 'ms',
    ours: median(times.slice(1)),
    target: { atMost: 500 },
  };
};
