import { inputRow } from './decode/input-row.js';
import { withAllocation } from './decode/with-allocation.js';
import type { Benchmark } from './row.js';
import { textInputs } from './tools/decode-inputs.js';

/** What a text message costs to decode and check. */
export const decodeText: Benchmark = {
  name: 'decode-text',
  title: 'Decoding one text message, with its full validation. Baseline: `JSON.parse` alone.',
  run: () => {
    // At most 1.25 times its time is at least 0.8 of its rate.
    const rows = textInputs.map((input) => inputRow(input, { atLeast: 0.8 }));
    return withAllocation(rows, textInputs);
  },
};
