import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { answering } from '../tools/answering.js';

/**
 * The part of the service that files pass: a view answers with a redirect to the storage, another origin, which makes the
 * bytes as it sends them, with their length; uploads are read to their end and thrown away.
 */
const listen = (listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
};

const chunk = Buffer.alloc(256 * 1024, 0x5a);

function* bytesOf(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= chunk.length)
    yield left < chunk.length ? chunk.subarray(0, left) : chunk;
}

const storage = listen((request, response) => {
  const size = Number(request.url?.slice(1));
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
  pipeline(Readable.from(bytesOf(size)), response).catch(() => undefined);
});

const api = listen((request, response) => {
  if (request.method === 'POST') {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: 'file.bin', subfolder: '', type: 'input' }));
    });
    return;
  }
  const name = new URL(request.url ?? '', 'http://localhost').searchParams.get('filename') ?? '';
  void storage.then((port) => {
    response.writeHead(302, { location: `http://127.0.0.1:${port}/${name.replace('.bin', '')}` }).end();
  });
});

answering(() => api);
