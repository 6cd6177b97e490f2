import { request } from 'undici';
import { Readable } from 'node:stream';
import type { ListeningWay } from '../tools/way.js';
import { loadPeer } from './load-peer.js';

interface Low {
  readonly iterateSse: (body: ReadableStream<Uint8Array>) => AsyncIterable<unknown>;
}

interface Events {
  readonly eventFromRaw: (raw: unknown) => unknown;
}

/** The previews of `@comfyorg/sdk`, which come as server-sent events with base64. */
export const comfyorg: ListeningWay = async ({ baseUrl }, tick) => {
  const { iterateSse } = await loadPeer<Low>('@comfyorg/sdk/low');
  const { eventFromRaw } = await loadPeer<Events>('@comfyorg/sdk', 'dist/sdk/events.js');
  const { body } = await request(`${baseUrl}/events`);
  const read = async (): Promise<void> => {
    const bytes = Readable.toWeb(body) as ReadableStream<Uint8Array>;
    for await (const raw of iterateSse(bytes)) tick(eventFromRaw(raw));
  };
  read().catch(() => undefined);
  return { close: () => void body.destroy() };
};
