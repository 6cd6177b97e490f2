import { floorMessage, floorPreview, floorPreviewWithMetadata, floorText } from '../baseline/decode.js';
import { kibibyte, sizeText } from './sizes.js';
import { message, picture, u32 } from './wire.js';

/** One kind of frame to decode: its input, made anew for each `seed`, and the floor for it. */
export interface DecodeInput {
  readonly what: string;
  readonly make: (seed: number) => string | ArrayBuffer;
  readonly floor: (input: never) => unknown;
}

const promptId = (seed: number): string => `6a1f0c52-7d3e-4b8a-9c1d-2e5f6071${String(1000 + (seed % 9000))}`;

const bytesOf = (...parts: readonly Uint8Array[]): ArrayBuffer => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
};

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const metadata = (seed: number): Uint8Array =>
  utf8(
    JSON.stringify({
      node_id: String(seed % 100),
      prompt_id: promptId(seed),
      display_node_id: String(seed % 100),
      parent_node_id: null,
      real_node_id: String(seed % 100),
      image_type: 'image/jpeg',
    }),
  );

const withMetadata = (json: Uint8Array, image: Uint8Array): ArrayBuffer =>
  bytesOf(u32(4), u32(json.length), json, image);

const progressState = (seed: number, count: number): string => {
  const nodes = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      String(index + 1),
      {
        value: (seed + index) % 20,
        max: 20,
        state: index + 1 < count ? 'finished' : 'running',
        node_id: String(index + 1),
        prompt_id: promptId(seed),
        display_node_id: String(index + 1),
        parent_node_id: null,
        real_node_id: String(index + 1),
      },
    ]),
  );
  return message('progress_state', { prompt_id: promptId(seed), nodes });
};

const textOfSize = (size: number) => (seed: number) =>
  bytesOf(u32(3), u32(2), utf8('12'), utf8(`${seed % 10}${'.'.repeat(size - 1)}`));

/** A preview of type 1 or 4 whose picture has `size` bytes. */
export const pictureInput = (type: 1 | 4, size: number): DecodeInput => ({
  what: `type ${type}, ${sizeText(size)} picture`,
  make: (seed) =>
    type === 1 ? bytesOf(u32(1), u32(1), picture(size)) : withMetadata(metadata(seed), picture(size)),
  floor: type === 1 ? floorPreview : floorPreviewWithMetadata,
});

/** Binary frames that carry text. */
export const textInBytesInputs: readonly DecodeInput[] = [64, 32 * kibibyte].map((size) => ({
  what: `type 3, ${sizeText(size)} text`,
  make: textOfSize(size),
  floor: floorText,
}));

/** Text messages. */
export const textInputs: readonly DecodeInput[] = [
  {
    what: 'progress',
    make: (seed) => message('progress', { value: seed % 20, max: 20, prompt_id: promptId(seed), node: '3' }),
    floor: floorMessage,
  },
  {
    what: 'executed',
    make: (seed) =>
      message('executed', {
        node: '9',
        display_node: '9',
        output: { images: [{ filename: `picture_${seed % 9000}_.png`, subfolder: '', type: 'output' }] },
        prompt_id: promptId(seed),
      }),
    floor: floorMessage,
  },
  ...[1, 20, 100].map((nodes) => ({
    what: `progress_state, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
    make: (seed: number) => progressState(seed, nodes),
    floor: floorMessage,
  })),
];
