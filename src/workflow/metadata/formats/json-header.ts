import type { ByteReader } from '../byte-reader.js';
import { decodeText } from '../text.js';
import type { Findings } from '../findings.js';
import { malformed } from '../stop-reading.js';
import { membersOf } from '../../../core/protocol/json/members-of.js';

const lengthWidth = 8;

/** Reads the header of a safetensors file (a checkpoint, a LoRA, a latent): the texts of its `__metadata__`. */
export const readSafetensors = async (reader: ByteReader, findings: Findings): Promise<void> => {
  const length = (await reader.header(0, lengthWidth)).u64(0, true);
  const header = decodeText((await reader.payload(lengthWidth, length)).raw);
  findings.offer('', memberOf(header, '__metadata__') ?? '');
};

const glbHeaderLength = 12;
const chunkHeaderLength = 8;

/** Reads the first chunk of a binary glTF: `asset.extras`. */
export const readGlb = async (reader: ByteReader, findings: Findings): Promise<void> => {
  const chunk = await reader.header(glbHeaderLength, chunkHeaderLength);
  if (chunk.latin1(4, 8) !== 'JSON') throw malformed('The first chunk of the glTF is not JSON');
  const json = decodeText(
    (await reader.payload(glbHeaderLength + chunkHeaderLength, chunk.u32(0, true))).raw,
  );
  findings.offer('', memberOf(memberOf(json, 'asset') ?? '', 'extras') ?? '');
};

/** The source text of a member of a JSON object. */
const memberOf = (json: string, wanted: string): string | undefined => {
  for (const { name, value } of membersOf(json)) if (name === `"${wanted}"`) return value;
  return undefined;
};
