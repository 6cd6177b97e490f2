import { comfyorgDecoder, saintnoDecoder } from '../peers/decoders.js';
import { peersMissing } from '../peers/install-peers.js';
import type { Row } from '../row.js';
import { pictureInput } from '../tools/decode-inputs.js';
import { decodeOurs, decoding, inputsOf } from '../tools/decoding.js';
import { ratesInTurns } from '../tools/rates-in-turns.js';
import { kibibyte } from '../tools/wire.js';

const size = 32 * kibibyte;

/** Previews of 32 KiB beside the peers that know one type only: saintno type 1, comfyorg its own with a node's name. */
export const otherPeers = async (): Promise<readonly Row[]> => {
  const missing = await peersMissing();
  const row = async (type: 1 | 4, against: string, atLeast: number): Promise<Row> => {
    const input = pictureInput(type, size);
    const base: Row = { what: input.what, unit: 'frames/s', against, target: { atLeast } };
    if (missing !== undefined) return { ...base, note: missing };
    const peer = type === 1 ? await saintnoDecoder() : await comfyorgDecoder(size);
    const inputs = inputsOf(input);
    const rates = ratesInTurns({ ours: decoding(decodeOurs, inputs), peer: decoding(peer, inputs) });
    return {
      ...base,
      ours: rates.perSecond('ours'),
      baseline: rates.perSecond('peer'),
      ratio: rates.ratio('ours', 'peer'),
    };
  };
  return [await row(1, '@saintno/comfyui-sdk', 100), await row(4, '@comfyorg/sdk (JSON with base64)', 25)];
};
