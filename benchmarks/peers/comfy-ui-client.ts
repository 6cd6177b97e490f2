import type { Runner } from '../tools/jobs-in-turns.js';
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
  const { ComfyUIClient } = await loadPeer<ComfyUi>('comfy-ui-client');
  const client = new ComfyUIClient(new URL(baseUrl).host, crypto.randomUUID());
  await client.connect();
  return { run: () => client.getImages(workflow), close: () => client.disconnect() };
};
