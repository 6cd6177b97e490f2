import { checkedGateway } from '../gateway/openapi/checked-gateway.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { describeWith, findInstalled } from '../helpers/describe-with.js';
import { execFile } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { textToImageWorkflow } from '../../src/emulator.js';
import { tmpdir } from 'node:os';

const run = promisify(execFile);
const packages = '../openapi/node_modules';

const temporary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Writes the description of a gateway into a folder. */
const described = async (address: string, folder: string): Promise<string> => {
  const file = join(folder, 'openapi.json');
  await writeFile(file, await (await fetch(`${address}/openapi.json`)).text());
  return file;
};

/** Runs a workflow by the client beside it, which is made of the description. */
const main = `
import { client } from './client/client.gen.js';
import { getJob, getOutput, v2SubmitJob } from './client/sdk.gen.js';
import { readFile } from 'node:fs/promises';

client.setConfig({ baseUrl: process.env['GATEWAY'] ?? '', auth: () => process.env['TOKEN'] ?? '' });

const workflow = JSON.parse(await readFile(process.env['WORKFLOW'] ?? '', 'utf8'));
const { data: submitted } = await v2SubmitJob({ body: { workflow }, throwOnError: true });
const show = async () => (await getJob({ path: { id: submitted.id }, throwOnError: true })).data;
let job = await show();
while (job.state.phase !== 'completed') {
  if (job.state.phase === 'failed') throw new Error(job.state.failure?.exceptionMessage);
  job = await show();
}
for (const { id: output, mediaType } of job.files) {
  const { data: bytes } = await getOutput({
    ...{ path: { id: job.id, output }, parseAs: 'arrayBuffer', throwOnError: true },
  });
  console.log(mediaType, (bytes as unknown as ArrayBuffer).byteLength > 0);
}
`;

/** API v2 has the ambiguous path, and routes that are open to all refuse nothing. */
const rules = `
extends: [recommended]
rules:
  no-ambiguous-paths: off
  operation-4xx-response: off
`;

describeWith('Redocly', findInstalled(`${packages}/@redocly/cli/bin/cli.js`), (redocly) => {
  it('has nothing to say of the description', async () => {
    await using gateway = await checkedGateway();
    const folder = await temporary();
    const file = await described(gateway.address, folder);
    const config = join(folder, 'redocly.yaml');
    await writeFile(config, rules);
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout, stderr } = await run(process.execPath, [redocly, 'lint', file, '--config', config], {
      env,
    });
    expect(`${stdout}${stderr}`).toContain('Your API description is valid.');
    expect(`${stdout}${stderr}`).not.toMatch(/\d+ (?:warning|error|problem)/u);
  });
});

describeWith('OpenAPI TS', findInstalled(`${packages}/@hey-api/openapi-ts/bin/run.js`), (generator) => {
  it('makes a client that runs a job', async () => {
    await using gateway = await checkedGateway();
    const folder = await temporary();
    const file = await described(gateway.address, folder);
    await run(process.execPath, [generator, '-i', file, '-o', join(folder, 'client'), '--no-log-file'], {
      cwd: folder,
    });
    const program = join(folder, 'main.ts');
    await writeFile(program, main);
    const settings = {
      compilerOptions: {
        ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'] },
        ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
        typeRoots: [join(import.meta.dirname, '..', '..', 'node_modules', '@types')],
      },
      files: ['main.ts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = findInstalled(`${packages}/typescript/bin/tsc`) ?? '';
    const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error: unknown) => error);
    expect(compiled).toMatchObject({ stdout: '' });
    const outfile = join(folder, 'main.mjs');
    await build({
      ...{ entryPoints: [program], outfile, bundle: true, format: 'esm', platform: 'node' },
      logLevel: 'error',
    });
    const workflow = join(folder, 'workflow.json');
    await writeFile(workflow, JSON.stringify(textToImageWorkflow({ steps: 2, width: 64, height: 64 })));
    const env = { ...process.env, GATEWAY: gateway.address, TOKEN: gateway.token, WORKFLOW: workflow };
    const { stdout } = await run(process.execPath, [outfile], { env });
    expect(stdout).toMatch(/^(?:image\/png true\n)+$/u);
    expect(gateway.seen[1]).toBe('POST /api/v2/jobs 201');
    expect(await gateway.problems()).toEqual([]);
  });
});
