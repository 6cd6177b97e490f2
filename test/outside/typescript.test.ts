import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { declare } from '../cli/helpers/declare.js';
import { describeWith, findInstalled } from '../helpers/describe-with.js';

const own = join(import.meta.dirname, '..', '..', 'node_modules');

/** What a project says besides being strict. */
interface Settings {
  readonly lib: readonly string[];
  readonly types?: readonly string[];
  readonly module: string;
  readonly moduleResolution: string;
}

const page: Settings = { lib: ['ES2022', 'DOM'], module: 'esnext', moduleResolution: 'bundler' };
const nodeJs: Settings = {
  lib: ['ES2022'],
  types: ['node'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
};
const node16: Settings = { ...nodeJs, module: 'node16', moduleResolution: 'node16' };

let project: Consumer;
beforeAll(async () => {
  project = await consumer({ types: true });
});
afterAll(() => project[Symbol.asyncDispose]());

/** Compiles files as a project that checks its libraries too, and resolves with what the compiler has to say. */
const problemsOf = async (
  compiler: string,
  files: Readonly<Record<string, string>>,
  { types = [], ...settings }: Settings,
): Promise<string> => {
  for (const [name, content] of Object.entries(files)) await project.write(name, content);
  const config = {
    compilerOptions: {
      ...{ noEmit: true, target: 'es2022', types, ...settings },
      ...{ strict: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, skipLibCheck: false },
    },
    files: Object.keys(files),
  };
  const file = await project.write('tsconfig.json', JSON.stringify(config));
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', file], { cwd: project.folder }, (_, stdout) =>
      resolve(stdout.trim()),
    );
  });
};

const pageProgram = `
  import { createClient, progress, type Workflow } from 'promptwire';
  export const show = (workflow: Workflow) =>
    createClient({ baseUrl: 'http://127.0.0.1:1' })
      .run(workflow)
      .pipe(progress())
      .subscribe(({ value }) => (document.title = String(value)));
`;

const nodeProgram = `
  import { createClient, toPromise, type Job, type Workflow } from 'promptwire';
  import { startEmulator } from 'promptwire/emulator';
  export const run = async (workflow: Workflow): Promise<Job> => {
    await using emulator = await startEmulator();
    await using client = createClient(emulator);
    const job = await toPromise(client.submit(workflow, { signal: AbortSignal.timeout(1000) }));
    for await (const { phase } of job) console.log(phase);
    return job;
  };
`;

const pageSockets = `
  import { createClient, type ClientOptions } from 'promptwire';
  class Own extends WebSocket {}
  const classes: NonNullable<ClientOptions['WebSocket']>[] = [WebSocket, Own];
  for (const WebSocket of classes) createClient({ baseUrl: 'http://127.0.0.1:1', WebSocket, headers: new Map([['X-Team', 'a']]) });
`;

const nodeSockets = `
  import { createClient, defaultPlatform, type Platform } from 'promptwire';
  import { WebSocket as Undici } from 'undici';
  import Ws, { WebSocket as NamedWs } from 'ws';
  class Own extends Undici {
    constructor(url: string) {
      super(url, { headers: { authorization: 'Bearer token' } });
    }
  }
  const baseUrl = 'http://127.0.0.1:1';
  for (const WebSocket of [Undici, Ws, NamedWs, Own]) createClient({ baseUrl, WebSocket });
  createClient({ baseUrl, WebSocket: Undici, headers: () => new Map([['authorization', 'Bearer token']]) });
  createClient({ baseUrl, WebSocket: Ws, headers: { authorization: 'Bearer token' } });
  export const platform: Platform = { ...defaultPlatform(), random: () => 0.5, close: undefined };
`;

const functional = `
  import { type Client, createClient, type Workflow } from 'promptwire';
  import { eventCodecs, eventMessageCodec } from 'promptwire/codecs';
  import { download, matchError, outputs, setInput, submit, withClient } from 'promptwire/fp';
  import * as RTE from 'fp-ts/lib/ReaderTaskEither.js';
  import { pipe } from 'fp-ts/lib/function.js';
  import * as t from 'io-ts';
  const client: Client = createClient({ baseUrl: 'http://127.0.0.1:1' });
  export const paint = (workflow: Workflow) =>
    pipe(
      RTE.fromEither(pipe(workflow, setInput('3', 'seed', 7))),
      RTE.flatMap(submit()),
      RTE.flatMapTaskEither(outputs),
      RTE.flatMap(download('.', { filter: ({ type }) => type === 'output' })),
      RTE.mapLeft(matchError({ UnknownNode: ({ knownNodes }) => knownNodes.length }, ({ hint }) => hint)),
    )(client);
  export const closed = (workflow: Workflow) => pipe(workflow, submit(), withClient(() => client));
  export const marked = t.intersection([eventCodecs.progress, t.type({ mark: t.string })]);
  export const nodeOf = (message: unknown): string | null | undefined =>
    eventMessageCodec.is(message) && message.type === 'executing' ? message.data.node : undefined;
`;

const folder = join(import.meta.dirname, '..', 'types');

/** The type tests, but for those of the modules of src. */
const typeTests = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name !== 'conditions.ts')
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);

const importing = `
  import type { Client } from 'promptwire' with { 'resolution-mode': 'import' };
  const connect = async (): Promise<Client> =>
    (await import('promptwire')).createClient({ baseUrl: 'http://127.0.0.1:1' });
  export = connect;
`;

const requiring = `
  import promptwire = require('promptwire');
  export = promptwire.createClient({ baseUrl: 'http://127.0.0.1:1' });
`;

const nodeClasses = {
  Load: { input: { required: { name: [['a.ckpt', 'b.ckpt']] } }, output: ['MODEL', 'CLIP'] },
  Size: {
    input: { required: { width: ['INT', { min: 1 }], height: ['INT', { min: 1 }] } },
    output: ['LATENT'],
  },
  Text: { input: { required: { clip: ['CLIP'] } }, output: ['CONDITIONING'] },
};

const mistaken = `
import { graph } from 'promptwire/workflow';
import type { Nodes } from './nodes.js';
const g = graph<Nodes>();
const loaded = g.Load({ name: 'a.ckpt' });
g.Text({ clip: loaded.MODEL_0 });
g.Load({ name: 'c.ckpt' });
g.Size({ width: 1 });
g.Text({ clip: loaded.LATENT_0 });
g.Size({ width: loaded[0], height: 1 });
`;

const unrun = `
import type { Client, Job } from 'promptwire';
export const stop = async (client: Client, job: Job) => {
  await client.cancel('a');
  await client.rest.queue();
  await job.outputs;
};
`;

/** Where the compiler finds each mistake, and what it says of it. */
const found = [
  ...[4, 5, 6].map(
    (line) =>
      new RegExp(
        `^unrun\\.ts\\(${line},3\\): error TS1320: Type of 'await' operand must either be a valid promise`,
        'mu',
      ),
  ),
  /^mistaken\.ts\(6,10\): error TS\d+: Type 'Output<"MODEL">' is not assignable to type 'Input<"clip", "CLIP">'/mu,
  /^mistaken\.ts\(7,10\): error TS\d+: Type '"c\.ckpt"' is not assignable to type 'Name'\./mu,
  /^mistaken\.ts\(8,8\): error TS\d+: (?:.*\n +)?Property 'height' is missing in type '\{ width: number; \}' but required in type 'SizeInputs'\./mu,
  /^mistaken\.ts\(9,23\): error TS\d+: Property 'LATENT_0' does not exist on type 'LoadOutputs'\./mu,
  /^mistaken\.ts\(10,10\): error TS\d+: Type 'Output<"MODEL">' is not assignable to type 'number \| bigint \| Input<"width", "INT">'/mu,
];

/** Describes what a compiler says of a page and of a program for Node.js, with a CommonJS file that requires the package. */
const describesCompiler = (compiler: string, { requires }: { readonly requires: boolean }): void => {
  it('compiles a page without the library esnext.disposable and without the types of Node.js, refuses to await a call that was not run (TS1320), and names the input and both types of each mistake in its workflows', async () => {
    const files = {
      ...{ 'page.ts': pageProgram, 'sockets.ts': pageSockets, 'functional.ts': functional },
      ...{ 'nodes.d.ts': (await declare(nodeClasses)).text, 'mistaken.ts': mistaken, 'unrun.ts': unrun },
      ...typeTests,
    };
    const problems = await problemsOf(compiler, files, page);
    for (const problem of found) expect(problems).toMatch(problem);
    expect(problems.match(/ error TS/gu)).toHaveLength(found.length);
  });

  const importers = requires
    ? 'CommonJS files with import() and require()'
    : 'a CommonJS file with import(), and refuses one with require() (TS1471)';
  it(`compiles a program for Node.js without the library of the DOM, and ${importers}`, async () => {
    const files = {
      ...{ 'program.ts': nodeProgram, 'sockets.ts': nodeSockets, 'importing.cts': importing },
      ...{ 'requiring.cts': requiring, 'functional.ts': functional },
      ...typeTests,
    };
    expect(await problemsOf(compiler, files, nodeJs)).toMatch(requires ? /^$/u : refused);
  });
};

/** All that a compiler says where a CommonJS file requires the package, and may not. */
const refused = /^requiring\.cts\S+ error TS1471: .*$/u;

describeWith('TypeScript 5.6', findInstalled('typescript-5.6/bin/tsc'), (compiler) => {
  describesCompiler(compiler, { requires: false });
});

describeWith('TypeScript 5.9', findInstalled('typescript-5.9/bin/tsc'), (compiler) => {
  describesCompiler(compiler, { requires: true });
});

describe('TypeScript 6', () => {
  const compiler = join(own, 'typescript', 'bin', 'tsc6');
  describesCompiler(compiler, { requires: true });
});

describe('TypeScript 7', () => {
  const compiler = join(own, '@typescript', 'native', 'bin', 'tsc');
  describesCompiler(compiler, { requires: true });

  it('refuses a CommonJS file that requires the package, with module node16', async () => {
    expect(await problemsOf(compiler, { 'requiring.cts': requiring }, node16)).toMatch(refused);
  });
});
