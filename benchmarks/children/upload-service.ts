import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answering } from '../tools/answering.js';

/** Takes uploads, which it reads to their end and throws away: it is never what the sender waits for. */
const listening = new Promise<number>((resolve) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: 'file.bin', subfolder: '', type: 'input' }));
    });
  });
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
});

answering(() => listening);
