/** Where a payload begins in the bytes that were looked through, and how long it is in all. */
export interface PayloadStart {
  readonly at: number;
  readonly length: number;
}

/** Finds the payloads in the bytes of a WebSocket, however they are cut. */
export interface PayloadScan {
  /**
   * Looks through the bytes that come next, beginning at `from`, until a payload of at least `leastBytes` starts. Then the scan stands
   * behind this payload, also where its last bytes are still to come; otherwise at the end of `bytes`.
   */
  readonly find: (bytes: Uint8Array, from: number) => PayloadStart | undefined;
  /** Passes over bytes that still belong to a payload that was found. */
  readonly skip: (bytes: number) => void;
}

/**
 * Reads the headers of a server's frames (RFC 6455, section 5.2), and nothing else of them.
 *
 * After a header that no server may send, or one of more than `mostBytes`, it finds nothing any more: who judges frames will
 * close such a connection.
 */
export const payloadScan = (leastBytes: number, mostBytes: number): PayloadScan => {
  const header = new DataView(new ArrayBuffer(10));
  let known = 0;
  let left = 0;
  let lost = false;

  /** Takes one byte of a header; true when it is whole. */
  const take = (byte: number): boolean => {
    header.setUint8(known, byte);
    known += 1;
    return known > 1 && known === headerBytes[Math.max(0, lengthCode(header) - 125)];
  };

  return {
    find: (bytes, from) => {
      for (let at = from; at < bytes.length && !lost;) {
        if (left > 0) {
          const step = Math.min(left, bytes.length - at);
          at += step;
          left -= step;
        } else if (take(bytes[at++] ?? 0)) {
          known = 0;
          const length = payloadLength(header);
          lost = (header.getUint16(0) & notByServers) !== 0 || length > mostBytes;
          if (length >= leastBytes && !lost) return { at, length };
          left = length;
        }
      }
      return undefined;
    },
    skip: (bytes) => {
      left = bytes;
    },
  };
};

/** Of frames with a short length, one of two bytes, one of eight. */
const headerBytes = [2, 4, 10];

/** Bits of extensions, which are never asked for, and of the mask, which only clients use. */
const notByServers = 0x7080;

const lengthCode = (header: DataView): number => header.getUint8(1) & 0x7f;

const payloadLength = (header: DataView): number => {
  const code = lengthCode(header);
  if (code === 127) return Number(header.getBigUint64(2));
  return code === 126 ? header.getUint16(2) : code;
};
