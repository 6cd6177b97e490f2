import { stableCanvasDecoder } from '../peers/decoders.js';
import { peersMissing } from '../peers/install-peers.js';
import type { Point, Row } from '../row.js';
import { pictureInput } from '../tools/decode-inputs.js';
import { decodeOurs, decoding, inputsOf } from '../tools/decoding.js';
import { type Rates, ratesInTurns, type Work } from '../tools/rates-in-turns.js';
import { sizes, sizeText } from '../tools/sizes.js';
import { kibibyte } from '../tools/wire.js';

/** What ours is to be at least of the rate of the floor, and of a peer's at 32 KiB. */
export interface PictureTargets {
  readonly ofFloor: number;
  readonly ofPeer: number;
}

type Who = 'promptwire' | 'hand-written' | 'stable-canvas';
type Name = `${Who} ${number}`;

/** Previews of one type in all sizes, in turns: beside the floor, beside the fastest peer, and beside each other. */
export const pictures = async (type: 1 | 4, targets: PictureTargets): Promise<readonly Row[]> => {
  const missing = await peersMissing();
  const peer = missing === undefined ? await stableCanvasDecoder() : undefined;
  const ways: Partial<Record<Name, Work>> = {};
  for (const size of sizes) {
    const input = pictureInput(type, size);
    const inputs = inputsOf(input);
    ways[`promptwire ${size}`] = decoding(decodeOurs, inputs);
    ways[`hand-written ${size}`] = decoding(input.floor, inputs);
    if (peer !== undefined) ways[`stable-canvas ${size}`] = decoding(peer, inputs);
  }
  const rates = ratesInTurns<Name>(ways as Record<Name, Work>);
  const rows: Row[] = [];
  for (const size of sizes) {
    const { what } = pictureInput(type, size);
    const ours = rates.perSecond(`promptwire ${size}`);
    const pointOf = (who: Who): Point => ({
      series: `${who}, type ${type}`,
      x: size,
      y: rates.perSecond(`${who} ${size}`),
    });
    const beside = (who: Who): Row => ({
      what,
      unit: 'frames/s',
      ours,
      baseline: rates.perSecond(`${who} ${size}`),
      ratio: rates.ratio(`promptwire ${size}`, `${who} ${size}`),
      points: [pointOf(who)],
    });
    rows.push({
      ...beside('hand-written'),
      target: { atLeast: targets.ofFloor },
      points: [pointOf('promptwire'), pointOf('hand-written')],
    });
    const against = '@stable-canvas/comfyui-client';
    if (missing !== undefined) rows.push({ what, unit: 'frames/s', ours, against, note: missing });
    else if (size !== 32 * kibibyte) rows.push({ ...beside('stable-canvas'), against });
    else rows.push({ ...beside('stable-canvas'), against, target: { atLeast: targets.ofPeer } });
  }
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
