import { comfyorgDecoder, type PeerDecoder, saintnoDecoder, stableCanvasDecoder } from '../peers/decoders.js';
import { peersMissing } from '../peers/install-peers.js';
import type { Row } from '../row.js';
import { pictureInput } from '../tools/decode-inputs.js';
import { decodeOurs, decoding, inputsOf } from '../tools/decoding.js';
import { ratesInTurns } from '../tools/rates-in-turns.js';
import { kibibyte, sizes } from '../tools/sizes.js';

const usual = 32 * kibibyte;

/** Previews beside the peers' decoders: of 32 KiB beside all, and in every size beside the one that knows both types. */
export const peers = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const type of [1, 4] as const) {
    for (const size of sizes) rows.push(await beside(type, size, '@stable-canvas/comfyui-client'));
  }
  rows.push(await beside(1, usual, '@saintno/comfyui-sdk'));
  rows.push(await beside(4, usual, '@comfyorg/sdk (JSON with base64)'));
  return rows;
};

const decoders = {
  '@stable-canvas/comfyui-client': stableCanvasDecoder,
  '@saintno/comfyui-sdk': saintnoDecoder,
  '@comfyorg/sdk (JSON with base64)': comfyorgDecoder,
} satisfies Record<string, (size: number) => Promise<PeerDecoder>>;

const beside = async (type: 1 | 4, size: number, against: keyof typeof decoders): Promise<Row> => {
  const input = pictureInput(type, size);
  const row: Row = { what: input.what, unit: 'frames/s', against, ...(size === usual && targets[type]) };
  const missing = await peersMissing();
  if (missing !== undefined) return { ...row, note: missing };
  const inputs = inputsOf(input);
  const peer = await decoders[against](size);
  const rates = ratesInTurns(
    { ours: decoding(decodeOurs, inputs), peer: decoding(peer, inputs) },
    { rounds: 9 },
  );
  const baseline = rates.perSecond('peer');
  return {
    ...row,
    ours: rates.perSecond('ours'),
    baseline,
    ratio: rates.ratio('ours', 'peer'),
    ...(against === '@stable-canvas/comfyui-client' && {
      points: [{ series: `stable-canvas, type ${type}`, x: size, y: baseline }],
    }),
  };
};

/** Of the fastest peer's rate. */
const targets = { 1: { target: { atLeast: 100 } }, 4: { target: { atLeast: 25 } } };
