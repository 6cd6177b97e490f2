import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from 'node:http';
import type { FormPart } from '../../../src/core/platform/platform.js';
import { httpClientRequests, nodeRequests } from '../../../src/core/platform/node/requests.js';
import { httpServer } from '../../helpers/http-server.js';
import { join } from 'node:path';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { multipart } from '../../../src/core/platform/node/multipart.js';
import { nodeFiles } from '../../../src/core/platform/node/files.js';
import { tmpdir } from 'node:os';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'promptwire-multipart-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** No two pieces of it are alike. */
const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: Math.ceil(length / 4) }, (_, index) => index).buffer).subarray(
    0,
    length,
  );

const onDisk = async (length: number): Promise<Blob> => {
  await writeFile(join(dir, 'file'), bytesOf(length));
  return nodeFiles.open(join(dir, 'file'));
};

/** What the pieces are put together; each is copied when it is given, as a socket does. */
const read = async (parts: readonly FormPart[]) => {
  const { headers, body } = multipart(parts);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece));
  const whole = Buffer.concat(pieces);
  const form = await new Response(whole, { headers }).formData();
  return { whole, headers, form };
};

describe('a multipart form', () => {
  it('has names, texts and files as they were, and its length', async () => {
    const { whole, headers, form } = await read([
      { name: 'a "b"\r\nc', value: 'ü\r\n--x' },
      { name: 'image', filename: 'ü "x"\r\n.png', content: new Blob(['abc'], { type: 'image/png' }) },
      { name: 'image', filename: 'empty', content: new Blob([]) },
    ]);
    expect(headers['content-length']).toBe(String(whole.byteLength));
    expect(form.get('a "b"\r\nc')).toBe('ü\r\n--x');
    const [first, second] = form.getAll('image') as File[];
    expect([first?.name, first?.type, await first?.text()]).toEqual(['ü "x"\r\n.png', 'image/png', 'abc']);
    expect([second?.name, second?.size, second?.type]).toEqual(['empty', 0, 'application/octet-stream']);
  });

  it.each([0, 1, 262_143, 262_144, 262_145, 1_000_003])('has a file of %d bytes whole', async (length) => {
    const { form } = await read([{ name: 'image', filename: 'f', content: await onDisk(length) }]);
    const file = form.get('image') as File;
    expect(Buffer.from(await file.arrayBuffer()).equals(bytesOf(length))).toBe(true);
  });

  it('E18 fails where the file became shorter meanwhile', async () => {
    const content = await onDisk(1_000_000);
    await truncate(join(dir, 'file'), 300_000);
    const form = [{ name: 'image', filename: 'f', content }];
    const failure = { code: 'EIO', sent: false, message: 'the file changed while it was sent' };
    await expect(read(form)).rejects.toMatchObject(failure);
    await using server = await httpServer((_, response) => response.end());
    for (const open of [nodeRequests, httpClientRequests]) {
      const { request, close } = open();
      await expect(request({ method: 'POST', url: server.origin, headers: {}, form })).rejects.toMatchObject(
        failure,
      );
      await close();
    }
    expect(server.seen).toEqual([]);
  });

  it('E18 arrives whole at a server that reads slowly', async () => {
    const received: Buffer[] = [];
    const server = createServer((incoming, response) => {
      incoming.on('data', (piece: Buffer) => {
        received.push(piece);
        incoming.pause();
        setImmediate(() => incoming.resume());
      });
      incoming.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const calls = nodeRequests();
    const form = [{ name: 'image', filename: 'f', content: await onDisk(8_000_001) }];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { status } = await calls.request({ method: 'POST', url, headers: {}, form });
    expect(status).toBe(200);
    const whole = Buffer.concat(received);
    const start = whole.indexOf('\r\n\r\n') + 4;
    expect(whole.subarray(start, start + 8_000_001).equals(bytesOf(8_000_001))).toBe(true);
    await calls.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
