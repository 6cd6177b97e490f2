import { expect, it } from 'vitest';
import { inflateSync } from 'node:zlib';
import { workflowIn } from '../../../../src/workflow.js';
import { decodeVp8l } from '../files/decode-vp8l.js';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { recordingContext, runNode, testPicture } from '../run-node.js';

const frames = [testPicture(5, 3), testPicture(5, 3, 40), testPicture(5, 3, 90)];
const prompt = { 7: { class_type: 'SaveAnimatedPNG', inputs: { text: 'é' } } };
const editorFile = { nodes: [], links: [], version: 0.4 };

/** What one of the classes saves, and what it shows. */
const saved = async (name: string, inputs: object, images: readonly Picture[] = frames) => {
  const context = recordingContext({ prompt, extraPngInfo: { workflow: editorFile } });
  const { ui } = await runNode(name, { images, filename_prefix: 'a', fps: 8, ...inputs }, context);
  return { bytes: Buffer.from(context.saved[0]!.bytes), ui, count: context.saved.length };
};

/** The chunks of a PNG file. */
const chunksOf = (file: Buffer): readonly (readonly [type: string, data: Buffer])[] => {
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    chunks.push([
      file.toString('latin1', at + 4, at + 8),
      file.subarray(at + 8, at + 8 + file.readUInt32BE(at)),
    ]);
  return chunks;
};

it('M11 saves a batch as one animated PNG, whose texts follow its frames', async () => {
  const { bytes, ui, count } = await saved('SaveAnimatedPNG', { compress_level: 4 });
  expect([count, ui]).toEqual([
    1,
    { images: [{ filename: 'a_1.png', subfolder: '', type: 'output' }], animated: [true] },
  ]);
  const chunks = chunksOf(bytes);
  expect(chunks.map(([type]) => type)).toEqual([
    ...['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'comf', 'comf', 'IEND'],
  ]);
  const controls = chunks.filter(([type]) => type === 'fcTL').map(([, data]) => data);
  expect(
    controls.map((data) => [data.readUInt32BE(0), data.readUInt16BE(20), data.readUInt16BE(22)]),
  ).toEqual([
    [0, 125, 1000],
    [1, 125, 1000],
    [3, 125, 1000],
  ]);
  // Each frame has a filter and fifteen bytes a row.
  const data = chunks.flatMap(([type, part]) =>
    type === 'IDAT' ? [part] : type === 'fdAT' ? [part.subarray(4)] : [],
  );
  expect(data.map((part) => inflateSync(part).length)).toEqual([48, 48, 48]);
  const found = await workflowIn(bytes);
  expect(found).toMatchObject({ prompt: { value: prompt }, workflow: { value: editorFile } });
});

it('M11 saves a batch as one animated WebP, each frame without loss', async () => {
  const clear = { ...frames[1]!, alpha: new Uint8Array(15).fill(9) };
  const { bytes, ui } = await saved('SaveAnimatedWEBP', { lossless: false, quality: 3, method: 'fastest' }, [
    frames[0]!,
    clear,
  ]);
  expect(ui).toMatchObject({ images: [{ filename: 'a_1.webp' }], animated: [true] });
  const parts: [string, Buffer][] = [];
  for (
    let at = 12;
    at < bytes.length;
    at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) & 1)
  )
    parts.push([
      bytes.toString('latin1', at, at + 4),
      bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4)),
    ]);
  expect(parts.map(([type]) => type)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF', 'EXIF']);
  expect([...parts[0]![1]]).toEqual([0x1a, 0, 0, 0, 4, 0, 0, 2, 0, 0]);
  for (const [at, picture] of [frames[0]!, clear].entries()) {
    const frame = parts[at + 2]![1];
    expect([frame.readUIntLE(6, 3), frame.readUIntLE(9, 3), frame.readUIntLE(12, 3)]).toEqual([4, 2, 125]);
    expect(frame.toString('latin1', 16, 20)).toBe('VP8L');
    const decoded = decodeVp8l(frame.subarray(24, 24 + frame.readUInt32LE(20)));
    expect(decoded.data.filter((_, place) => place % 4 < 3)).toEqual([...picture.rgb]);
    expect(decoded.data[3]).toBe(at === 0 ? 255 : 9);
  }
  expect(await workflowIn(bytes)).toMatchObject({
    prompt: { value: prompt },
    workflow: { value: editorFile },
  });
});
