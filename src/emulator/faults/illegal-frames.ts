import { rawFrame } from '../sockets/raw-frame.js';
import type { IllegalFrame } from './socket-fault.js';

const text = Buffer.from('{"type":"illegal","data":{}}');
const closeWith = (code: number): Buffer => Buffer.of(code >> 8, code & 0xff);

/** What RFC 6455 forbids a server to send, by name. */
export const illegalFrames: Readonly<Record<IllegalFrame, Buffer>> = {
  'reserved bits': rawFrame({ first: 0x80 | 0x20 | 1, payload: text }),
  masked: rawFrame({ first: 0x81, payload: text, isMasked: true }),
  'bad opcode': rawFrame({ first: 0x83, payload: text }),
  'bad close code': rawFrame({ first: 0x88, payload: closeWith(1005) }),
  'short close': rawFrame({ first: 0x88, payload: Buffer.of(3) }),
  'long ping': rawFrame({ first: 0x89, payload: Buffer.alloc(126) }),
  'fragmented ping': rawFrame({ first: 0x09, payload: text }),
  'stray continuation': rawFrame({ first: 0x80, payload: text }),
  'invalid utf-8': rawFrame({ first: 0x81, payload: Buffer.of(0x22, 0xc3, 0x28, 0xff, 0x22) }),
};
