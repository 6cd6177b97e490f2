import { WebSocket } from 'ws';
import type { Runner } from '../tools/jobs-in-turns.js';
import type { ListeningWay } from '../tools/way.js';
import { loadPeer } from './load-peer.js';

interface StableCanvas {
  readonly Client: new (config: object) => StableCanvasClient;
}

/** What is used of `@stable-canvas/comfyui-client`. */
interface StableCanvasClient {
  readonly on: (event: string, listener: (value: unknown) => void) => void;
  readonly connect: (options: object) => unknown;
  readonly close: () => void;
  readonly enqueue: (workflow: object) => Promise<unknown>;
}

/** A connected client of `@stable-canvas/comfyui-client`, on `ws`. */
const stableCanvasClient = async (host: string, clientId: string): Promise<StableCanvasClient> => {
  const { Client } = await loadPeer<StableCanvas>('@stable-canvas/comfyui-client');
  const client = new Client({ api_host: host, clientId, WebSocket, fetch });
  return new Promise((resolve) => {
    client.on('connected', () => resolve(client));
    client.connect({ polling: { enabled: false }, websocket: { enabled: true } });
  });
};

/** It opens no path but `/ws`, so the sender knows it by its client id. */
export const stableCanvas: ListeningWay = async ({ name, port }, tick) => {
  const client = await stableCanvasClient(`127.0.0.1:${port}`, name);
  client.on('progress', tick);
  client.on('b_preview', tick);
  return { close: () => client.close() };
};

/** Runs jobs with `enqueue`, which ends with the first output. */
export const stableCanvasRunner = async (baseUrl: string, workflow: object): Promise<Runner> => {
  const client = await stableCanvasClient(new URL(baseUrl).host, crypto.randomUUID());
  return { run: () => client.enqueue(workflow), close: () => client.close() };
};
