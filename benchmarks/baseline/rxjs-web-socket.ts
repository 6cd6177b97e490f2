// eslint-disable-next-line no-restricted-imports -- it is what people would take instead
import { webSocket } from 'rxjs/webSocket';
import { WebSocket } from 'ws';
import type { ListeningWay } from '../tools/way.js';
import { floorMessage, floorPreview } from './decode.js';

/** The second baseline: RxJS's own socket with the hand-written decoder. */
export const rxjsWebSocket: ListeningWay = (address, tick) =>
  new Promise((resolve) => {
    const subscription = webSocket<unknown>({
      url: address.wsUrl,
      WebSocketCtor: class extends WebSocket {
        constructor(url: string) {
          super(url, { perMessageDeflate: false });
        }
      } as never,
      binaryType: 'arraybuffer',
      deserializer: ({ data }: { readonly data: unknown }) =>
        typeof data === 'string' ? floorMessage(data) : floorPreview(data as ArrayBuffer),
      openObserver: { next: () => resolve({ close: () => subscription.unsubscribe() }) },
    }).subscribe(tick);
  });
