import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type InlineConfig, loadConfigFromFile, type ProxyOptions } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startEmulator } from '../../src/emulator.js';

const root = join(import.meta.dirname, '../..');
const guide = join(root, 'docs/guide/browser.md');

/** The Vite configuration of the guide, with another server in the place of the one on port 8188. */
const configOfTheGuide = async (target: string): Promise<InlineConfig> => {
  const [, text] = /```ts\n(import \{ defineConfig \} from 'vite';\n[^]*?)```/u.exec(
    await readFile(guide, 'utf8'),
  )!;
  // Within the package, so that it finds `vite`.
  const temp = join(root, 'temp');
  await mkdir(temp, { recursive: true });
  const folder = await mkdtemp(join(temp, 'vite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'vite.config.mjs');
  await writeFile(file, text!.replaceAll('127.0.0.1:8188', target));
  const loaded = await loadConfigFromFile({ command: 'serve', mode: 'development' }, file, folder, 'silent');
  return { ...loaded!.config, root: folder, configFile: false };
};

/** A Vite server in front of a local server, and the address of its pages. */
const behindVite = async (change: (config: InlineConfig) => InlineConfig = (config) => config) => {
  const emulator = await startEmulator({ dialect: 'local', speed: Infinity });
  onTestFinished(() => emulator.close());
  const config = change(await configOfTheGuide(new URL(emulator.baseUrl).host));
  const vite = await createServer({
    ...config,
    logLevel: 'silent',
    server: { ...config.server, host: '127.0.0.1', port: 0, hmr: false, watch: null },
  });
  onTestFinished(() => vite.close());
  await vite.listen();
  const { port } = vite.httpServer!.address() as AddressInfo;
  return `127.0.0.1:${port}`;
};

describe('the Vite configuration of the guide', () => {
  it('passes the requests and the socket of a page on to a local server', async () => {
    const host = await behindVite();
    const origin = `http://${host}`;
    const answer = await fetch(`${origin}/api/queue`, { headers: { origin } });
    expect([answer.status, await answer.json()]).toEqual([200, { queue_running: [], queue_pending: [] }]);
    const socket = new WebSocket(`ws://${host}/ws?clientId=a`, { origin });
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ type: 'status', data: { sid: 'a' } });
    socket.terminate();
  });

  it('meets 403 where the target is a mere text, as the guide says', async () => {
    const host = await behindVite((config) => ({
      ...config,
      server: {
        proxy: { '/api': (config.server!.proxy!['/api'] as ProxyOptions).target as string },
      },
    }));
    const answer = await fetch(`http://${host}/api/queue`, { headers: { origin: `http://${host}` } });
    expect(answer.status).toBe(403);
  });
});
