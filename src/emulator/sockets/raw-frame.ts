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
