import { createRequire } from 'node:module';
import type { Runner } from '../tools/jobs-in-turns.js';
import { peersRoot } from './install-peers.js';
import { loadPeer } from './load-peer.js';

interface ComfyUi {
  readonly ComfyUIClient: new (serverAddress: string, clientId: string) => ComfyUiClient;
}

interface ComfyUiClient {
  readonly connect: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
  readonly getImages: (workflow: object) => Promise<unknown>;
}

/** Runs jobs with `getImages` of `comfy-ui-client`. */
export const comfyUiClientRunner = async (baseUrl: string, workflow: object): Promise<Runner> => {
  silenceItsLog();
  const { ComfyUIClient } = await loadPeer<ComfyUi>('comfy-ui-client');
  const client = new ComfyUIClient(new URL(baseUrl).host, crypto.randomUUID());
  await client.connect();
  return { run: () => client.getImages(workflow), close: () => client.disconnect() };
};

/** It logs each job to stdout, where our table goes, and has no option for it: its logger gets another level. */
const silenceItsLog = (): void => {
  const requireOfPeer = createRequire(new URL('node_modules/comfy-ui-client/package.json', peersRoot));
  const pino = requireOfPeer('pino') as (options: object) => unknown;
  const loaded = requireOfPeer.cache[requireOfPeer.resolve('pino')];
  if (loaded?.exports !== pino || isSilent.has(pino)) return;
  const silent = (options: object): unknown => pino({ ...options, level: 'silent' });
  isSilent.add(silent);
  loaded.exports = silent;
};

const isSilent = new WeakSet();
