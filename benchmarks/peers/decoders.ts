import { loadPeer } from './load-peer.js';
import { loadSaintno } from './saintno.js';

/** What a peer makes of one message of its socket; what comes out differs, so it is only thrown away. */
export type PeerDecoder = (input: ArrayBuffer) => unknown;

/** `@stable-canvas/comfyui-client`, types 1 and 4: its decoder by itself, without its events. */
export const stableCanvasDecoder = async (): Promise<PeerDecoder> => {
  const { WsClient } = await loadPeer<{
    readonly WsClient: { readonly readBinaryData: PeerDecoder };
  }>('@stable-canvas/comfyui-client');
  return (input) => WsClient.readBinaryData(input);
};

/** `@saintno/comfyui-sdk`, type 1: from its socket's message, as an `ArrayBuffer`, which it copies least, to its event. */
export const saintnoDecoder = async (): Promise<PeerDecoder> => {
  const { ComfyApi } = await loadSaintno();
  let onMessage: ((event: { readonly data: ArrayBuffer }) => void) | undefined;
  class FedSocket {
    set onmessage(listener: typeof onMessage) {
      onMessage = listener;
    }
    close(): void {
      onMessage = undefined;
    }
  }
  const api = new ComfyApi('http://127.0.0.1:9', 'fed', {
    customWebSocketImpl: FedSocket,
    wsTimeout: 3_600_000,
  });
  let preview: unknown;
  api.addEventListener('b_preview', (event) => {
    preview = (event as CustomEvent).detail;
  });
  api.createSocket();
  clearInterval((api as unknown as { readonly wsTimer: NodeJS.Timeout }).wsTimer);
  return (data) => {
    onMessage?.({ data });
    return preview;
  };
};

/** `@comfyorg/sdk`: from the data of one server-sent event, JSON with base64, to its preview; finding the event not counted. */
export const comfyorgDecoder = async (size: number): Promise<PeerDecoder> => {
  const { eventFromRaw } = await loadPeer<{ readonly eventFromRaw: (raw: object) => unknown }>(
    '@comfyorg/sdk',
    'dist/sdk/events.js',
  );
  const data_base64 = Buffer.alloc(size, 0x5a).toString('base64');
  const text = JSON.stringify({ node_id: '3', content_type: 'image/jpeg', data_base64 });
  return () => eventFromRaw({ event: 'preview', data: JSON.parse(text) as unknown });
};
