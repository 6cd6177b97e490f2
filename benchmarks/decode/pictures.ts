import type { Row, Target } from '../row.js';
import { pictureInput } from '../tools/decode-inputs.js';
import { decodeOurs, decoding, inputsOf } from '../tools/decoding.js';
import { type Rates, ratesInTurns, type Work } from '../tools/rates-in-turns.js';
import { sizes, sizeText } from '../tools/sizes.js';

type Name = `${'promptwire' | 'hand-written'} ${number}`;

/** Previews of one type in all sizes, in turns: beside the floor, and beside each other. */
export const pictures = (type: 1 | 4, target: Target): readonly Row[] => {
  const ways: Partial<Record<Name, Work>> = {};
  for (const size of sizes) {
    const input = pictureInput(type, size);
    const inputs = inputsOf(input);
    ways[`promptwire ${size}`] = decoding(decodeOurs, inputs);
    ways[`hand-written ${size}`] = decoding(input.floor, inputs);
  }
  // None of them leaves more than a few small objects behind.
  const rates = ratesInTurns<Name>(ways as Record<Name, Work>, { collect: 'young' });
  const rows = sizes.map((size): Row => {
    const [ours, baseline] = [rates.perSecond(`promptwire ${size}`), rates.perSecond(`hand-written ${size}`)];
    return {
      what: pictureInput(type, size).what,
      unit: 'frames/s',
      ours,
      baseline,
      ratio: rates.ratio(`promptwire ${size}`, `hand-written ${size}`),
      target,
      points: [
        { series: `promptwire, type ${type}`, x: size, y: ours },
        { series: `hand-written, type ${type}`, x: size, y: baseline },
      ],
    };
  });
  return [...rows, flatness(type, rates)];
};

/** The slowest of the sizes beside the fastest, each compared with the first size in the same rounds. */
const flatness = (type: 1 | 4, rates: Rates<Name>): Row => {
  const bySpeed = sizes
    .map((size) => ({ size, speed: rates.ratio(`promptwire ${size}`, `promptwire ${sizes[0]}`) }))
    .toSorted((a, b) => a.speed - b.speed);
  const [slowest, fastest] = [bySpeed[0]!, bySpeed.at(-1)!];
  return {
    what: `type ${type}, the slowest size: ${sizeText(slowest.size)}`,
    unit: 'ns/frame',
    ours: 1e9 / rates.perSecond(`promptwire ${slowest.size}`),
    baseline: 1e9 / rates.perSecond(`promptwire ${fastest.size}`),
    ratio: fastest.speed / slowest.speed,
    against: `the fastest: ${sizeText(fastest.size)}`,
    target: { atMost: 1.2 },
  };
};
