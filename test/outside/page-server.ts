import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bundledFile } from '../helpers/bundle-program.js';
import type { Emulator } from '../../src/emulator.js';

const recipe = join(import.meta.dirname, '..', '..', 'docs', 'recipes', 'page', 'server.ts');

/** The server of the pages in `docs/recipes/page`, in a process of its own. */
export interface PageServer extends AsyncDisposable {
  readonly address: string;
}

/** Starts the server for this built page, over this service, and resolves once it answers. */
export const startPageServer = async (page: string, service: Emulator): Promise<PageServer> => {
  const port = await freePort();
  const env = {
    ...{ PATH: process.env['PATH'], PORT: String(port) },
    ...{ PROMPTWIRE_BASE_URL: service.baseUrl, PROMPTWIRE_API_KEY: service.apiKey },
  };
  const child = spawn(process.execPath, [await bundledFile(recipe), page], { env, stdio: 'inherit' });
  const address = `http://127.0.0.1:${port}/`;
  await answers(address, child);
  return {
    address,
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
};

const answers = async (address: string, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok === true) return;
  }
  throw new Error(`The server of the page ended with ${child.exitCode}.`);
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
