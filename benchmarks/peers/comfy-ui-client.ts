import { loadPeer } from './load-peer.js';

interface ComfyUi {
  readonly ComfyUIClient: new (serverAddress: string, clientId: string) => ComfyUiClient;
}

interface ComfyUiClient {
  readonly connect: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
  readonly getImages: (workflow: object) => Promise<unknown>;
}

/** A connected client of `comfy-ui-client`. */
export const comfyUiClient = async (host: string, clientId: string): Promise<ComfyUiClient> => {
  process.env['LOG_LEVEL'] ??= 'silent';
  const { ComfyUIClient } = await loadPeer<ComfyUi>('comfy-ui-client');
  const client = new ComfyUIClient(host, clientId);
  await client.connect();
  return client;
};
