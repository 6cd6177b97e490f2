/** Where the payload of a frame stands. */
export interface FrameHead {
  readonly at: number;
  /** Bytes of it; Infinity where no frame is told from the bytes any more. */
  readonly length: number;
}

/** The headers of a server's frames, one after the other. */
export interface FrameHeads {
  /** Whether what begins at `at`, behind the frame that was read last, looks like a message in one frame. */
  readonly isMessage: (bytes: Uint8Array, at: number) => boolean;
  /** Reads the header at `at`, behind the frame that was read last; undefined where it is not whole. */
  readonly read: (bytes: Buffer, at: number) => FrameHead | undefined;
}

/**
 * Reads the headers of frames (RFC 6455, section 5.2), and nothing else of them.
 *
 * Behind a close, a header that no server may send, and one of a payload of more than `most` bytes, it finds no frame any
 * more: such a connection is over.
 */
export const frameHeads = (most: number): FrameHeads => {
  let isAmidMessage = false;
  return {
    isMessage: (bytes, at) =>
      (bytes[at] === wholeText || bytes[at] === wholeBinary) &&
      maySend(bytes[at], bytes[at + 1] ?? 0, isAmidMessage),
    read: (bytes, at) => {
      const first = bytes[at] ?? 0;
      const code = bytes[at + 1] ?? 0;
      const start = at + (code === 127 ? 10 : code === 126 ? 4 : 2);
      if (start > bytes.length) return undefined;
      const length = lengthAt(bytes, at + 2, code);
      const goesOn = maySend(first, code, isAmidMessage) && length <= most;
      if (first !== ping && first !== pong) isAmidMessage = (first & last) === 0;
      return { at: start, length: goesOn ? length : Infinity };
    },
  };
};

/** Whether the frame that begins at `at` is a text. */
export const isText = (bytes: Uint8Array, at: number): boolean => bytes[at] === wholeText;

/** The two first bytes of a frame, behind which there may be another one. */
const maySend = (first: number, code: number, isAmidMessage: boolean): boolean => {
  switch (first) {
    case wholeText:
    case wholeBinary:
    case firstOfText:
    case firstOfBinary:
      return !isAmidMessage && code < masked;
    case part:
    case lastPart:
      return isAmidMessage && code < masked;
    case ping:
    case pong:
      return code < 126;
    default:
      return false;
  }
};

const lengthAt = (bytes: Buffer, at: number, code: number): number => {
  if (code === 127) return Number(bytes.readBigUInt64BE(at));
  return code === 126 ? bytes.readUInt16BE(at) : code;
};

const last = 0x80;
const part = 0;
const firstOfText = 1;
const firstOfBinary = 2;
const lastPart = last | part;
const wholeText = last | firstOfText;
const wholeBinary = last | firstOfBinary;
const ping = 0x89;
const pong = 0x8a;

/** Of the second byte; only clients mask. */
const masked = 0x80;
