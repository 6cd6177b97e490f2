import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { fencesOf } from '../helpers/fences.js';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { exampleRuns } from './example-runs.js';

const root = join(import.meta.dirname, '..', '..');

/** What a run may use besides the example. */
const prelude = `
  import { createClient as $createClient, outputFiles as $outputFiles, toPromise as $toPromise } from 'promptwire';
  import { textToImageWorkflow as $textToImage } from 'promptwire/emulator';
  import { firstValueFrom as $firstValueFrom, lastValueFrom as $lastValueFrom } from 'rxjs';
  const $client = $createClient({ baseUrl: process.env.SERVICE_URL, apiKey: process.env.PROMPTWIRE_API_KEY });
  const $workflow = (seed = 1) => $textToImage({ width: 64, height: 64, steps: 3, seed });
  const $completed = (workflow = $workflow()) => $lastValueFrom($client.run(workflow));
`;

const files = [
  'README.md',
  ...readdirSync(join(root, 'docs', 'guide')).map((name) => `docs/guide/${name}`),
].filter((name) => name.endsWith('.md'));
const examples = files.flatMap((file) => {
  const fences = fencesOf(join(root, file));
  const runs = exampleRuns[file] ?? [];
  return fences.map(({ line, code }, index) => [file, line, code, runs[index]] as const);
});
const runHere = examples.flatMap(([file, line, code, run]) =>
  run !== undefined && 'runBy' in run ? [] : [{ name: `${file}:${line}`, code, run }],
);
const runElsewhere = examples.flatMap(([file, line, , run]) =>
  run !== undefined && 'runBy' in run ? [[`${file}:${line}`, file, run.runBy] as const] : [],
);

type Here = (typeof runHere)[number];

const runner = join(import.meta.dirname, 'run-examples.mjs');

describe('an example of README and guide', () => {
  let project: Consumer;
  let service: Emulator;
  let local: Emulator;
  let v2: Emulator;
  /** What the examples that share a process have written, by their folders. */
  let together: Readonly<Record<string, { readonly stdout: string; readonly stderr: string }>>;
  /** What the examples that are tests have written, in TAP. */
  let tested: string;
  beforeAll(async () => {
    project = await consumer();
    service = await startEmulator({ speed: Infinity });
    local = await startEmulator({ speed: Infinity, dialect: 'local' });
    v2 = await startEmulator({ speed: Infinity, dialect: 'v2' });
    await Promise.all(runHere.map(write));
    const [tests, programs] = [true, false].map((isTest) =>
      runHere.filter(({ run }) => (run?.isTest ?? false) === isTest).map(({ name }) => folderOf(name)),
    );
    const imports = tests!.map((folder) => `import ${JSON.stringify(`${folder}/example.mjs`)};`);
    const suite = await project.write('tests.mjs', imports.join('\n'));
    const [outputs, tap] = await Promise.all([
      outputOf([runner, ...programs!]),
      outputOf(['--test-reporter=tap', suite]).catch(
        (failed: unknown) => (failed as { readonly stdout: string }).stdout,
      ),
    ]);
    together = JSON.parse(outputs) as typeof together;
    tested = tap;
  }, 120_000);
  afterAll(async () => {
    await Promise.all([project[Symbol.asyncDispose](), service.close(), local.close(), v2.close()]);
  });

  const folderOf = (name: string): string => join(project.folder, name.replaceAll(/\W/gu, '-'));

  /** Writes an example, followed by what its run asks of it, into a folder of its own. */
  const write = async ({ name, code, run }: Here): Promise<void> => {
    const { before = '', then = '' } = run ?? {};
    const folder = folderOf(name);
    await mkdir(folder);
    const workflow = textToImageWorkflow({ width: 64, height: 64, steps: 3 });
    await writeFile(join(folder, 'workflow_api.json'), JSON.stringify(workflow));
    const placed = `${before}\n${code}`
      .replaceAll('https://cloud.comfy.org', v2.baseUrl)
      .replaceAll('http://127.0.0.1:8188', local.baseUrl);
    const program = then === '' ? placed : `${placed}${prelude}${then}\nawait $client.close();`;
    const script = await transform(program, { loader: 'ts', format: 'esm', target: 'node20' });
    await writeFile(join(folder, 'example.mjs'), script.code);
  };

  /** What a program writes, in a process that ends by itself. */
  const outputOf = async (args: readonly string[]): Promise<string> => {
    const env = {
      PATH: process.env['PATH'],
      SERVICE_URL: service.baseUrl,
      PROMPTWIRE_API_KEY: service.apiKey,
      COMFY_API_KEY: v2.apiKey,
    };
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--unhandled-rejections=strict', ...args],
      { cwd: root, env, timeout: 110_000 },
    );
    return stdout + stderr;
  };

  it('is known here, as is what comes of it', () => {
    const lengths = files.map((file) => [file, fencesOf(join(root, file)).length]);
    const known = files.map((file) => [file, (exampleRuns[file] ?? []).length]);
    expect(known).toEqual(lengths);
  });

  it.each(runElsewhere)('%s is run from the text of %s by %s', (_, file, test) => {
    expect(readFileSync(join(root, test), 'utf8')).toContain(`'${file}'`);
  });

  it.each(runHere)('$name runs, and ends by itself', ({ name, run }) => {
    expect(run).toBeDefined();
    const { stdout = '', stderr = '' } = together[folderOf(name)] ?? {};
    expect(run?.isTest === true ? tested : stdout + stderr).toMatch(run!.says);
  });

  it('passes with each of its tests', () => {
    const tests = runHere.flatMap(({ code, run }) => (run?.isTest === true ? code.match(/^test\(/gmu) : []));
    expect(tested).toMatch(new RegExp(`^# pass ${tests.length}$`, 'mu'));
    expect(tested).toMatch(/^# fail 0$/mu);
  });
});
