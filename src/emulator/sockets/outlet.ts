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

/** The parts of a WebSocket frame that are not its payload. */
export interface RawFrameOptions {
  /** Its first byte: FIN 0x80, three reserved bits from 0x40 down, and the opcode. */
  readonly first: number;
  readonly payload?: Uint8Array;
  /** Bytes of the payload that follow by themselves. */
  readonly following?: number;
  /** Masks the payload with a key of zeros, as only clients may. */
  readonly isMasked?: boolean;
}

/** One WebSocket frame (RFC 6455, 5.2), legal or not. */
export const rawFrame = ({
  first,
  payload = new Uint8Array(0),
  following = 0,
  isMasked = false,
}: RawFrameOptions): Buffer => {
  const size = payload.length + following;
  const extended = size < 126 ? 0 : size < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended + (isMasked ? 4 : 0));
  head[0] = first;
  head[1] = (isMasked ? 0x80 : 0) | (extended === 0 ? size : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(size, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([head, payload]);
};
