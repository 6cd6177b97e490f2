import { illegalFrames } from './illegal-frames.js';
import { compressedMessage, fragmentedMessage, oversizeMessage } from './padded-messages.js';
import type { InterruptionDeed } from './socket-fault.js';

/** The bytes that a fault sends past the socket's own frames, if it is such a fault. */
export const bytesBeneath = (
  fault: InterruptionDeed,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> | undefined => {
  switch (fault.do) {
    case 'illegal':
      return [illegalFrames[fault.frame]];
    case 'bytes':
      return [Buffer.from(fault.hex, 'hex')];
    case 'fragments':
      return fragmentedMessage(fault.count ?? 200_000);
    case 'oversize':
      return oversizeMessage(fault.bytes ?? 64 * mebibyte);
    case 'bomb':
      return compressedMessage(fault.bytes ?? 90 * mebibyte);
    default:
      return undefined;
  }
};

const mebibyte = 1024 * 1024;
