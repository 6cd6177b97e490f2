import type { Surface } from '../meshes/mesh.js';

const [json, binary] = [0x4e4f534a, 0x004e4942];
const [float, wholeNumber] = [5126, 5125];
const [ofCorners, ofTriangles] = [34962, 34963];

/** Encodes a surface as a binary glTF file, with texts beside its author. */
export const encodeGlb = (
  { corners, triangles }: Surface,
  extras: Readonly<Record<string, string>> = {},
): Uint8Array => {
  const document = {
    asset: { version: '2.0', generator: 'promptwire emulator', extras },
    buffers: [{ byteLength: corners.byteLength + triangles.byteLength }],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: corners.byteLength, target: ofCorners },
      { buffer: 0, byteOffset: corners.byteLength, byteLength: triangles.byteLength, target: ofTriangles },
    ],
    accessors: [
      { bufferView: 0, componentType: float, count: corners.length / 3, type: 'VEC3', ...boundsOf(corners) },
      { bufferView: 1, componentType: wholeNumber, count: triangles.length, type: 'SCALAR' },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 4 }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
    scene: 0,
  };
  const text = chunk(json, padded(Buffer.from(JSON.stringify(document)), 0x20));
  const numbers = chunk(
    binary,
    Buffer.concat([bytesOf(corners, 'writeFloatLE'), bytesOf(triangles, 'writeUInt32LE')]),
  );
  const header = Buffer.alloc(12);
  header.write('glTF', 'latin1');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(header.length + text.length + numbers.length, 8);
  return Buffer.concat([header, text, numbers]);
};

/** The least and the greatest of each coordinate. */
const boundsOf = (
  corners: Float32Array,
): { readonly min: readonly number[]; readonly max: readonly number[] } => {
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (const [at, value] of corners.entries()) {
    min[at % 3] = Math.min(min[at % 3] ?? value, value);
    max[at % 3] = Math.max(max[at % 3] ?? value, value);
  }
  return corners.length === 0 ? { min: [0, 0, 0], max: [0, 0, 0] } : { min, max };
};

const bytesOf = (numbers: Float32Array | Uint32Array, write: 'writeFloatLE' | 'writeUInt32LE'): Buffer => {
  const bytes = Buffer.alloc(numbers.byteLength);
  for (const [at, value] of numbers.entries()) bytes[write](value, at * 4);
  return bytes;
};

/** A chunk is a multiple of four bytes long. */
const padded = (bytes: Buffer, filler: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);

const chunk = (type: number, bytes: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes.length);
  head.writeUInt32LE(type, 4);
  return Buffer.concat([head, bytes]);
};
