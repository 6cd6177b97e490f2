import { WebSocket } from 'ws';
import { lastValueFrom } from 'rxjs';
import { createClient, previews } from '../../src/node.js';
import { comfyUiClientRunner } from '../peers/comfy-ui-client.js';
import { loadPeer } from '../peers/load-peer.js';
import { loadSaintno } from '../peers/saintno.js';

/** Where a client connects to, and what it is to tell. */
export interface ClientNeeds {
  readonly baseUrl: string;
  /** Given for the hosted service only. */
  readonly apiKey: string | undefined;
  /** Told of each preview picture, with its media type. */
  readonly previewed: (mediaType: string) => void;
}

/** A client that runs one workflow with what it documents for that, and resolves with whatever it gives. */
export interface ComparedClient {
  readonly run: (workflow: object) => Promise<unknown>;
}

const promptwire = ({ baseUrl, apiKey, previewed }: ClientNeeds): Promise<ComparedClient> => {
  const client = createClient({ baseUrl, apiKey, dialect: apiKey === undefined ? 'local' : 'cloud' });
  client.frames.pipe(previews()).subscribe({
    next: ({ mediaType }) => previewed(mediaType),
    error: () => undefined,
  });
  return Promise.resolve({
    run: async (workflow) => {
      const { phase, outputs, failure } = await lastValueFrom(client.run(workflow as never));
      if (phase !== 'completed') throw new Error(`${phase}: ${failure?.exceptionMessage ?? ''}`);
      return outputs;
    },
  });
};

const saintno = async ({ baseUrl, apiKey, previewed }: ClientNeeds): Promise<ComparedClient> => {
  const { ComfyApi, CallWrapper, PromptBuilder } = await loadSaintno();
  const credentials = { type: 'bearer_token', token: apiKey };
  const api = new ComfyApi(baseUrl, crypto.randomUUID(), apiKey === undefined ? {} : { credentials });
  api.addEventListener('b_preview', (event) => previewed((event as { readonly detail: Blob }).detail.type));
  await new Promise((resolve) => {
    api.addEventListener('connected', resolve);
    api.createSocket();
  });
  return {
    run: (workflow) =>
      new Promise((resolve, reject) => {
        const outputs = Object.keys(workflow).slice(-1);
        const builder = outputs.reduce<object>(
          (built, nodeId) =>
            (built as { setOutputNode: (name: string, id: string) => object }).setOutputNode('last', nodeId),
          new PromptBuilder(workflow, [], ['last']),
        );
        const wrapper = new CallWrapper(api, builder);
        wrapper.onFinished(resolve);
        wrapper.onFailed(reject);
        void wrapper.run();
      }),
  };
};

interface StableCanvas {
  readonly Client: new (config: object) => {
    readonly on: (event: string, listener: (value: { readonly type?: string }) => void) => void;
    readonly connect: (options: object) => unknown;
    readonly enqueue: (workflow: object) => Promise<unknown>;
  };
}

const stableCanvas = async ({ baseUrl, previewed }: ClientNeeds): Promise<ComparedClient> => {
  const { Client } = await loadPeer<StableCanvas>('@stable-canvas/comfyui-client');
  const client = new Client({ api_host: new URL(baseUrl).host, WebSocket, fetch });
  client.on('b_preview', (picture) => previewed(picture.type ?? 'picture'));
  await new Promise<void>((resolve) => {
    client.on('connected', () => resolve());
    client.connect({ polling: { enabled: false }, websocket: { enabled: true } });
  });
  return { run: (workflow) => client.enqueue(workflow) };
};

/** It connects where a job is run, since its connecting waits for ever where a handshake is refused. */
const comfyUiClient = ({ baseUrl }: ClientNeeds): Promise<ComparedClient> =>
  Promise.resolve({
    run: async (workflow) => (await comfyUiClientRunner(baseUrl, workflow)).run(),
  });

/** Every client that is compared, as it comes: its defaults, and the way to run a job that its page shows. */
export const clients = {
  promptwire,
  '@saintno/comfyui-sdk': saintno,
  '@stable-canvas/comfyui-client': stableCanvas,
  'comfy-ui-client': comfyUiClient,
} satisfies Record<string, (needs: ClientNeeds) => Promise<ComparedClient>>;

/** The name of a client in {@link clients}: that of its package. */
export type ClientName = keyof typeof clients;
