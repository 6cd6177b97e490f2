import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { AddressInfo } from 'node:net';

/** Serves the files of a folder as a host of static sites does, and counts what it sends. */
export interface FileServer extends AsyncDisposable {
  readonly address: string;
  /** The bytes of all bodies as sent since `forget`, gzip of texts, without pictures. */
  readonly sent: () => number;
  /** The paths that were asked for since `forget`. */
  readonly asked: () => readonly string[];
  readonly forget: () => void;
}

/** Starts the server on a free port of this machine. */
export const serveFolder = async (folder: string): Promise<FileServer> => {
  const compress = promisify(gzip);
  const texts = new Map<string, Buffer>();
  let sent = 0;
  let asked: string[] = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://here').pathname));
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const type = types.get(extname(name));
    asked.push(name);
    readFile(join(folder, name)).then(
      async (bytes) => {
        if (type === undefined) return response.end(bytes);
        const body = texts.get(name) ?? (await compress(bytes));
        texts.set(name, body);
        sent += body.length;
        return response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    asked: () => asked,
    forget: () => {
      sent = 0;
      asked = [];
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Texts, which are sent compressed; everything else is a picture or a font. */
const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
]);
