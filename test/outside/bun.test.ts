import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { httpServer } from '../helpers/http-server.js';
import { describesSending } from './describes-sending.js';
import { describesRuntime } from './describes-runtime.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

const root = join(import.meta.dirname, '..', '..');

/** Fetches from a name that stands for this machine, as a file of a public service and as one of this machine. */
const fetches = (port: number): string => `
  import { httpClientRequests } from './src/core/platform/node/requests.js';
  const lookup = (_name, { all }, done) =>
    all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
  const { request, close } = httpClientRequests({ lookup });
  for (const addressClass of ['public', 'loopback']) {
    const url = 'http://files.example:${port}/' + addressClass;
    const { status } = await request({ method: 'GET', url, headers: {}, streamed: true, addressClass }).catch(
      ({ code }) => ({ status: code }),
    );
    console.log(status);
  }
  await close();
`;

describeWith('Bun', findProgram('bun'), (bun) => {
  describesRuntime(bun, 'gateway-bun.mjs');
  describesSending(bun, 'src/bun.ts');

  it('G3: connects to no private address that the name of a public file stands for', async () => {
    await using server = await httpServer((_, response) => void response.end());
    const folder = await mkdtemp(join(tmpdir(), 'bun-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { outputFiles } = await build({
      stdin: { contents: fetches(server.port), resolveDir: root, loader: 'ts' },
      ...{ bundle: true, write: false, format: 'esm', platform: 'node' },
    });
    await writeFile(join(folder, 'fetches.mjs'), outputFiles[0]?.text ?? '');

    const { stdout } = await promisify(execFile)(bun, [join(folder, 'fetches.mjs')]);

    expect(stdout).toBe('EADDRCLASS\n200\n');
    expect(server.seen.map(({ url }) => url)).toEqual(['/loopback']);
  });
});
