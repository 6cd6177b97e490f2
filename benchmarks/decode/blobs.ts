import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { saintnoDecoder, stableCanvasDecoder } from '../peers/decoders.js';
import { peersMissing } from '../peers/install-peers.js';
import type { Row } from '../row.js';
import { pictureInput } from '../tools/decode-inputs.js';
import { decodeOurs, decoding, inputsOf } from '../tools/decoding.js';
import { ratesInTurns, type Work } from '../tools/rates-in-turns.js';
import { kibibyte } from '../tools/sizes.js';

type Name = 'ours' | 'hand-written' | 'stable-canvas' | 'saintno';

/** Previews of 32 KiB to a `Blob`, which is what peers hand out: the copy that it makes is the same for all. */
export const blobs = async (): Promise<readonly Row[]> => [...(await ofType(1)), ...(await ofType(4))];

const ofType = async (type: 1 | 4): Promise<readonly Row[]> => {
  const missing = await peersMissing();
  const input = pictureInput(type, 32 * kibibyte);
  const inputs = inputsOf(input);
  const ways: Partial<Record<Name, Work>> = {
    ours: decoding((data) => blobOf(decodeOurs(data)), inputs),
    'hand-written': decoding((data) => blobOf(input.floor(data)), inputs),
  };
  if (missing === undefined) {
    ways['stable-canvas'] = decoding(await stableCanvasDecoder(), inputs);
    if (type === 1) ways.saintno = decoding(await saintnoDecoder(), inputs);
  }
  const rates = ratesInTurns<Name>(ways as Record<Name, Work>);
  const row = (other: Name, against: Partial<Row>): Row => ({
    what: `${input.what} to a Blob`,
    unit: 'frames/s',
    ours: rates.perSecond('ours'),
    ...against,
    ...(ways[other] === undefined
      ? { note: missing ?? 'not measured' }
      : { baseline: rates.perSecond(other), ratio: rates.ratio('ours', other) }),
  });
  return [
    row('hand-written', {}),
    row('stable-canvas', { against: '@stable-canvas/comfyui-client' }),
    ...(type === 1 ? [row('saintno', { against: '@saintno/comfyui-sdk' })] : []),
  ];
};

const blobOf = (frame: unknown): Blob => {
  const { image, mediaType } = frame as Extract<Frame, { _tag: 'Preview' }>;
  return new Blob([image as Uint8Array<ArrayBuffer>], { type: mediaType });
};
