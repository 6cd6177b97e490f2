import type { Runner } from '../tools/jobs-in-turns.js';
import type { ListeningWay } from '../tools/way.js';
import { loadPeer } from './load-peer.js';

/** What is used of `@saintno/comfyui-sdk`. */
interface SaintnoApi {
  readonly createSocket: () => void;
  readonly destroy: () => void;
  readonly addEventListener: (event: string, listener: (event: unknown) => void) => void;
}

interface Saintno {
  readonly ComfyApi: new (host: string, clientId: string, options: object) => SaintnoApi;
  readonly CallWrapper: new (
    api: SaintnoApi,
    builder: object,
  ) => {
    readonly onFinished: (listener: (outputs: unknown) => void) => unknown;
    readonly onFailed: (listener: (error: Error) => void) => unknown;
    readonly run: () => Promise<unknown>;
  };
  readonly ComfyPool: new (clients: readonly SaintnoApi[]) => {
    readonly on: (event: 'ready', listener: () => void) => unknown;
    readonly run: (job: (api: SaintnoApi) => Promise<unknown>) => Promise<unknown>;
  };
  readonly PromptBuilder: new (
    workflow: object,
    inputs: readonly string[],
    outputs: readonly string[],
  ) => { readonly setOutputNode: (name: string, nodeId: string) => object };
}

export const loadSaintno = (): Promise<Saintno> => loadPeer<Saintno>('@saintno/comfyui-sdk');

/** A connected client of `@saintno/comfyui-sdk`, as it is by itself in Node, without its reconnecting after silence. */
const saintnoApi = async (host: string, clientId: string): Promise<SaintnoApi> => {
  const { ComfyApi } = await loadSaintno();
  const api = new ComfyApi(host, clientId, { wsTimeout: 3_600_000 });
  await new Promise((resolve) => {
    api.addEventListener('connected', resolve);
    api.createSocket();
  });
  return api;
};

export const saintno: ListeningWay = async ({ name, baseUrl }, tick) => {
  const api = await saintnoApi(baseUrl, name);
  api.addEventListener('progress', tick);
  api.addEventListener('b_preview', tick);
  return { close: () => api.destroy() };
};

/** Runs jobs with a `CallWrapper`; the output that it waits for is that of node 1. */
export const saintnoRunner = async (baseUrl: string, workflow: object): Promise<Runner> => {
  const api = await saintnoApi(baseUrl, crypto.randomUUID());
  const { CallWrapper, PromptBuilder } = await loadSaintno();
  return {
    run: () =>
      new Promise((resolve, reject) => {
        const builder = new PromptBuilder(workflow, [], ['texts']).setOutputNode('texts', '1');
        const wrapper = new CallWrapper(api, builder);
        wrapper.onFinished(resolve);
        wrapper.onFailed(reject);
        void wrapper.run();
      }),
    close: () => api.destroy(),
  };
};
