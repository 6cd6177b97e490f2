import { decodeFrame } from '../src/protocol/frames/decode-frame.js';
import { alternate } from './tools/alternate.js';
import { type DecodeInput, decodeInputs } from './tools/decode-inputs.js';
import type { Benchmark, Row } from './row.js';

/** What a frame costs to decode and check. */
export const decode: Benchmark = {
  name: 'decode',
  title:
    'Decoding one frame. Baseline: for binary frames a hand-written DataView and view without any check, for text `JSON.parse` alone.',
  run: () => Promise.resolve(decodeInputs.map(measure)),
};

/** Different frames in turn, as a socket brings them. */
const variety = 16;

const measure = ({ what, make, floor }: DecodeInput): Row => {
  const inputs = Array.from({ length: variety }, (_, seed) => make(seed));
  const input = (call: number): string | ArrayBuffer => inputs[call % variety] ?? '';
  const rates = alternate(
    (call) => decodeFrame(input(call), told),
    (call) => floor(input(call) as never),
  );
  const first = input(0);
  const bytes = typeof first === 'string' ? Buffer.byteLength(first) : first.byteLength;
  return { what, unit: 'frames/s', ...rates, megabytesPerSecond: (rates.ours * bytes) / 1e6 };
};

/** What a client knows after the handshake with a server that sends type 3 in the old layout. */
const told = { promptText: false };
