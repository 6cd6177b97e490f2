import { blobs } from './decode/blobs.js';
import { inputRow } from './decode/input-row.js';
import { peers } from './decode/peers.js';
import { pictures } from './decode/pictures.js';
import { withAllocation } from './decode/with-allocation.js';
import type { Benchmark, Row } from './row.js';
import { pictureInput, textInBytesInputs } from './tools/decode-inputs.js';
import { sizes, sizeText } from './tools/sizes.js';

/** What a binary frame costs to decode and check. */
export const decode: Benchmark = {
  name: 'decode',
  title:
    "Decoding one binary frame. Baseline: a hand-written DataView and view without any check. Peers come with their own decoders, which copy the picture; where it says `Blob`, ours is made one too, as peers' are.",
  plot: { title: 'Decoding a preview', x: 'size of the picture', y: 'frames/s', tick: sizeText },
  run: async () => {
    const rows: readonly Row[] = [
      ...pictures(1, { atLeast: 0.8 }),
      ...pictures(4, { atLeast: 0.85 }),
      ...(await peers()),
      ...(await blobs()),
      ...textInBytesInputs.map((input) => inputRow(input)),
    ];
    return withAllocation(rows, [...pictureInputs, ...textInBytesInputs]);
  },
};

const pictureInputs = ([1, 4] as const).flatMap((type) => sizes.map((size) => pictureInput(type, size)));
