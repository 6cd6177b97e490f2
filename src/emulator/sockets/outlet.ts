import type { RawData, WebSocket } from 'ws';

/** One open socket as the service sees it: a place to send to, whatever carries it. */
export interface Outlet {
  readonly send: (wire: string | Uint8Array) => void;
  readonly close: (code: number, reason: string) => void;
  /** Text messages only; binary ones mean nothing to the service. */
  readonly onText: (listener: (text: string) => void) => void;
  readonly onClose: (listener: () => void) => void;
}

/** An outlet on a real socket; what is sent after its end is lost. */
export const webSocketOutlet = (socket: WebSocket): Outlet => {
  socket.on('error', () => socket.terminate());
  return {
    send: (wire) => {
      if (socket.readyState === socket.OPEN) socket.send(wire);
    },
    close: (code, reason) => socket.close(code, reason),
    onText: (listener) => {
      socket.on('message', (data: RawData, isBinary: boolean) => {
        if (!isBinary) listener(rawText(data));
      });
    },
    onClose: (listener) => {
      socket.on('close', listener);
    },
  };
};

const rawText = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString('utf8');
