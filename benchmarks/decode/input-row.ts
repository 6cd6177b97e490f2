import type { Row, Target } from '../row.js';
import type { DecodeInput } from '../tools/decode-inputs.js';
import { decodeOurs, decoding, inputsOf, sizeOf } from '../tools/decoding.js';
import { ratesInTurns } from '../tools/rates-in-turns.js';

/** Ours beside the floor of one kind of frame. */
export const inputRow = (input: DecodeInput, target?: Target): Row => {
  const inputs = inputsOf(input);
  const rates = ratesInTurns({
    ours: decoding(decodeOurs, inputs),
    floor: decoding(input.floor, inputs),
  });
  return {
    what: input.what,
    unit: 'frames/s',
    ours: rates.perSecond('ours'),
    baseline: rates.perSecond('floor'),
    ratio: rates.ratio('ours', 'floor'),
    ...(target && { target }),
    megabytesPerSecond: (rates.perSecond('ours') * sizeOf(inputs[0] ?? '')) / 1e6,
  };
};
