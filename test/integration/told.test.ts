import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { createClient, outputFiles, render, toPromise } from '../../src/node.js';

const emulated = async (options: EmulatorOptions) => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  onTestFinished(() => emulator.close());
  const client = createClient(emulator);
  onTestFinished(() => client.close());
  return client;
};

/** A service that answers everything like this. */
const answering = async (status: number, headers: Record<string, string>, body: string) => {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'secret-key-1' });
  onTestFinished(() => client.close());
  return client;
};

describe('what a service tells', () => {
  it.each([
    [400, 'x-comfy-request-id', '{"error":{"type":"x"}}'],
    [404, 'x-request-id', ''],
    [200, 'x-request-id', '<html>'],
  ])('O6: an error of an answer %i names its request by %s', async (status, header, body) => {
    const client = await answering(status, { [header]: 'req-1' }, body);
    const answer = await client.rest.user()();
    expect(answer).toMatchObject({ left: { requestId: 'req-1' } });
    if (answer._tag === 'Left') expect(render(answer.left)).toContain('Request id: req-1');
  });

  it('O6: a request id holds no key and is no other text', async () => {
    for (const id of ['secret-key-1', 'a b', 'x'.repeat(200)]) {
      const answer = await (await answering(400, { 'x-request-id': id }, '{}')).rest.user()();
      expect(JSON.stringify(answer)).not.toContain(id);
    }
  });

  it('O6: reads the log of a job of API v2, and none where the service keeps none', async () => {
    const workflow = { '1': { class_type: 'PreviewAny', inputs: { source: 'a' } } };
    const logging = await emulated({ dialect: 'v2', switches: { logs: true } });
    const job = await toPromise(logging.submit(workflow));
    await toPromise(job.outputs);
    expect(await toPromise(logging.rest.jobLogs(job.promptId))).toMatchObject({
      text: expect.any(String) as string,
    });
    const silent = await emulated({ dialect: 'v2' });
    const other = await toPromise(silent.submit(workflow));
    expect(await toPromise(silent.rest.jobLogs(other.promptId))).toBeUndefined();
    const cloud = await emulated({});
    expect(await cloud.rest.jobLogs('p')()).toMatchObject({ left: { _tag: 'NotSupported' } });
  });

  it('O6: reads how long a job of API v2 waited and ran, and an address that opens its file without the key', async () => {
    const client = await emulated({ dialect: 'v2' });
    const picture = {
      '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
    };
    const job = await toPromise(client.submit(picture));
    const [file] = outputFiles(await toPromise(job.outputs));
    const detail = await toPromise(client.rest.jobDetail(job.promptId));
    expect([detail.queueMs, detail.executionMs].map((ms) => typeof ms)).toEqual(['number', 'number']);
    const { url, expiresAt = 0 } = await toPromise(client.rest.signedUrl(file!));
    expect(expiresAt).toBeGreaterThan(Date.now());
    const answer = await fetch(url);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(
      await (await toPromise(client.rest.view(file!))).bytes(),
    );
    const silent = await emulated({ dialect: 'v2', switches: { content: 'inline' } });
    const other = await toPromise(silent.submit(picture));
    const [served] = outputFiles(await toPromise(other.outputs));
    expect(await silent.rest.signedUrl(served!)()).toMatchObject({ left: { _tag: 'NotSupported' } });
    const { filename } = file!;
    expect(await client.rest.signedUrl({ filename })()).toMatchObject({ left: { _tag: 'NotSupported' } });
    const cloud = await emulated({});
    expect(await cloud.rest.signedUrl(file!)()).toMatchObject({ left: { _tag: 'NotSupported' } });
  });

  it('O6: reads the features of a local server', async () => {
    const client = await emulated({ dialect: 'local' });
    expect(await toPromise(client.rest.features())).toMatchObject({ supports_preview_metadata: true });
  });
});
