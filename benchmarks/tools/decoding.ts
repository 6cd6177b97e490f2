import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import type { DecodeInput } from './decode-inputs.js';
import { mebibyte } from './sizes.js';
import type { Work } from './rates-in-turns.js';

/** A decoder and what it is fed, as work to measure. */
export const decoding = (decode: (input: never) => unknown, inputs: DecodeInputs): Work => {
  const { length } = inputs;
  return (call) => decode(inputs[call % length] as never);
};

export type DecodeInputs = readonly (string | ArrayBuffer)[];

/** Different frames of one kind, which come in turn as on a socket; of large ones fewer. */
export const inputsOf = ({ make }: DecodeInput): DecodeInputs => {
  const first = make(0);
  const variety = Math.max(2, Math.min(16, Math.floor(largest / sizeOf(first))));
  return [first, ...Array.from({ length: variety - 1 }, (_, index) => make(index + 1))];
};

/** Bytes that different frames of one kind take together. */
const largest = 16 * mebibyte;

/** Bytes on the wire. */
export const sizeOf = (input: string | ArrayBuffer): number =>
  typeof input === 'string' ? Buffer.byteLength(input) : input.byteLength;

/** Ours, with what a client knows after the handshake with a server that sends type 3 in the old layout. */
export const decodeOurs = (input: string | ArrayBuffer): unknown => decodeFrame(input, told);

const told = { promptText: false };
