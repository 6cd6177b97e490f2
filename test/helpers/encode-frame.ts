import { joinBytes } from './join-bytes.js';

/** The tests' own encoder of frames, written from docs/protocol.md, chapter 7; it shares nothing with the decoder. */

const utf8 = (text: string): number[] => Array.from(Buffer.from(text, 'utf8'));

const u32 = (value: number): number[] => {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(value);
  return Array.from(four);
};

/** Binary type 1. */
export const encodePreview = (imageCode: number, image: Uint8Array): Uint8Array =>
  joinBytes(u32(1), u32(imageCode), image);

/** Binary type 3, with a prompt id in the newer layout. */
export const encodeProgressText = (nodeId: string, text: string, promptId?: string): Uint8Array => {
  const prompt = promptId === undefined ? [] : [...u32(utf8(promptId).length), ...utf8(promptId)];
  return joinBytes(u32(3), prompt, u32(utf8(nodeId).length), utf8(nodeId), utf8(text));
};

/** Binary type 4. */
export const encodePreviewWithMetadata = (metadata: object, image: Uint8Array): Uint8Array => {
  const json = utf8(JSON.stringify(metadata));
  return joinBytes(u32(4), u32(json.length), json, image);
};

/** A binary frame of any type. */
export const encodeBinary = (type: number, payload: Uint8Array): Uint8Array => joinBytes(u32(type), payload);

/** A text message, as a JavaScript service would write it. */
export const encodeMessage = (type: string, data: unknown): string => JSON.stringify({ type, data });

/** A text message as Python writes it: blanks after separators, ASCII only. */
export const encodeMessageLikePython = (type: string, data: unknown): string => pythonJson({ type, data });

const pythonJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${pythonString(key)}: ${pythonJson(member)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? pythonString(value) : JSON.stringify(value);
};

const pythonString = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Bytes from hex digits; blanks are for the reader. */
export const hex = (digits: string): Uint8Array =>
  new Uint8Array(Buffer.from(digits.replaceAll(/\s/g, ''), 'hex'));
