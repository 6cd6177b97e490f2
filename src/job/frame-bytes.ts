import type { Frame } from '../protocol/frames/frame.js';

/**
 * Estimates how many bytes of memory a decoded frame holds: those of its pictures and texts, and what V8 takes for its objects.
 *
 * Whole numbers that stand in their object are counted with it; keys are shared by all frames and count nothing.
 */
export const frameBytes = (frame: Frame): number => bytesOf(frame);

const objectBytes = 56;
const memberBytes = 8;
const textBytes = 24;
const numberBytes = 16;

const bytesOf = (value: unknown): number => {
  switch (typeof value) {
    case 'string':
      return textBytes + 2 * value.length;
    case 'number':
      return Number.isInteger(value) ? 0 : numberBytes;
    case 'object':
      return value === null ? 0 : bytesOfObject(value);
    default:
      return 0;
  }
};

/** A message is at most 64 levels deep, so that this goes no deeper. */
const bytesOfObject = (value: object): number => {
  if (ArrayBuffer.isView(value)) return objectBytes + value.byteLength;
  let bytes = objectBytes;
  for (const key in value) {
    bytes += memberBytes + bytesOf((value as Readonly<Record<string, unknown>>)[key]);
  }
  return bytes;
};
