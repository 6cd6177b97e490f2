import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { arrayBuffer } from 'node:stream/consumers';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { floorDownload } from '../../benchmarks/baseline/download.js';
import { floorUpload } from '../../benchmarks/baseline/upload.js';
import { type Emulator, startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { createClient, outputFiles, toPromise } from '../../src/node.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the floors of the file benchmarks', () => {
  it('has the same file by the same calls: download', async () => {
    await using emulator = await startEmulator({ speed: Infinity });
    await using client = createClient(emulator);
    const { outputs } = await lastValueFrom(
      client.run(textToImageWorkflow({ width: 64, height: 64, steps: 1 })),
    );
    const file = outputFiles(outputs)[0]!;

    const before = emulator.requests.length;
    const { files } = await lastValueFrom(client.download([file], folder));
    const callsOfOurs = callsOf(emulator, before);
    const path = join(folder, 'floor.png');
    await floorDownload({ ...emulator, filename: file.filename }, path);

    const saved = await readFile(files[0]!.path);
    expect(saved.length).toBeGreaterThan(100);
    expect(saved.equals(await readFile(path))).toBe(true);
    expect(callsOf(emulator, before + callsOfOurs.length)).toEqual(callsOfOurs);
  });

  it('sends the same form: upload', async () => {
    const path = join(folder, 'picture.png');
    await writeFile(path, randomBytes(100_000));
    const forms: string[] = [];
    const server = createServer((request, response) => {
      void arrayBuffer(request).then((body) => {
        const { headers, method = '', url = '' } = request;
        const boundary = /boundary=(.+)$/u.exec(headers['content-type'] ?? '')?.[1] ?? 'none';
        const form = Buffer.from(body).toString('latin1').replaceAll(boundary, 'BOUNDARY');
        forms.push(`${method} ${url} ${String(headers['x-api-key'])}\n${form}`);
        response.end(JSON.stringify({ name: 'picture.png', subfolder: '', type: 'input' }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const apiKey = 'comfyui-0123456789abcdef';
    const client = createClient({ baseUrl, apiKey });

    const ours = await toPromise(client.rest.uploadImage(path));
    expect(await floorUpload(baseUrl, apiKey, path)).toEqual(ours);
    expect(forms[1]).toBe(forms[0]);
    expect(forms[0]?.length).toBeGreaterThan(100_000);

    await client.close();
    server.closeAllConnections();
    server.close();
  });
});

/** Method and path; signatures differ. */
const callsOf = ({ requests }: Emulator, from: number): readonly string[] =>
  requests.slice(from).map(({ method, url }) => `${method} ${url.replace(/(\/signed\/).*/u, '$1')}`);
