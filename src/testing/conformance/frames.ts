import assert from 'node:assert/strict';
import { isObject } from './shape.js';

/** A frame of type 1, taken apart. */
interface PlainPreview {
  readonly code: number;
  readonly image: Buffer;
}

/** A frame of type 3, taken apart. */
interface TextFrame {
  readonly promptId?: string;
  readonly nodeId: string;
  readonly text: string;
}

/** A frame of type 4, taken apart. */
interface PreviewFrame {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly image: Buffer;
}

/** Reads a frame of type 1. */
export const readPlainPreview = (frame: Buffer): PlainPreview => {
  assert.equal(frame.readUInt32BE(0), 1);
  return { code: frame.readUInt32BE(4), image: frame.subarray(8) };
};

/** Reads a frame of type 3 in the layout without a prompt id. */
export const readText = (frame: Buffer): TextFrame => {
  assert.equal(frame.readUInt32BE(0), 3);
  const node = readCounted(frame, 4);
  return { nodeId: utf8(node.bytes), text: utf8(frame.subarray(node.end)) };
};

/** Reads a frame of type 3 in the layout with a prompt id. */
export const readTextOfJob = (frame: Buffer): TextFrame => {
  assert.equal(frame.readUInt32BE(0), 3);
  const prompt = readCounted(frame, 4);
  const node = readCounted(frame, prompt.end);
  return { promptId: utf8(prompt.bytes), nodeId: utf8(node.bytes), text: utf8(frame.subarray(node.end)) };
};

/** Reads a frame of type 4. */
export const readPreview = (frame: Buffer): PreviewFrame => {
  assert.equal(frame.readUInt32BE(0), 4);
  const json = readCounted(frame, 4);
  const metadata = JSON.parse(utf8(json.bytes)) as unknown;
  assert.ok(isObject(metadata), 'the metadata is an object');
  return { metadata, image: frame.subarray(json.end) };
};

const readCounted = (frame: Buffer, at: number): { readonly bytes: Buffer; readonly end: number } => {
  const end = at + 4 + frame.readUInt32BE(at);
  assert.ok(end <= frame.length, `a length at ${at} stays within the frame`);
  return { bytes: frame.subarray(at + 4, end), end };
};

const utf8 = (bytes: Buffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
