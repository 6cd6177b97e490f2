import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ListeningWay } from '../tools/way.js';
import { floorMessage, floorPreview } from './decode.js';

/** The floor: `ws`, then `JSON.parse` or a view. */
export const bareSocket: ListeningWay = async ({ wsUrl }, tick) => {
  const socket = new WebSocket(wsUrl, { perMessageDeflate: false });
  socket.binaryType = 'arraybuffer';
  socket.on('message', (data, isBinary) => {
    tick(isBinary ? floorPreview(data as ArrayBuffer) : floorMessage(textOf(data as Buffer)));
  });
  await once(socket, 'open');
  return { close: () => socket.close() };
};

const textOf = (data: Buffer): string => data.toString();
