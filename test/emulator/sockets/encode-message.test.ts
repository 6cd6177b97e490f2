import { describe, expect, it } from 'vitest';
import {
  encodeEvent,
  encodePlainPreview,
  encodePreview,
  encodeText,
} from '../../../src/emulator/sockets/encode-message.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const jpeg = { mediaType: 'image/jpeg', bytes: Uint8Array.of(0xff, 0xd8, 0xff) } as const;
const png = { mediaType: 'image/png', bytes: Uint8Array.of(0x89, 0x50) } as const;

describe('the encoders', () => {
  it('write a text message as type and data', () => {
    expect(encodeEvent('status', { queue_remaining: 1 })).toBe(
      '{"type":"status","data":{"queue_remaining":1}}',
    );
  });

  it('write a plain preview with the code of its kind', () => {
    expect(hex(encodePlainPreview(jpeg))).toBe('0000000100000001ffd8ff');
    expect(hex(encodePlainPreview(png))).toBe('00000001000000028950');
  });

  it('write text in the older layout', () => {
    expect(hex(encodeText('12', 'hi'))).toBe('000000030000000231326869');
  });

  it('write text with the prompt id first in the newer layout', () => {
    expect(hex(encodeText('12', 'hi', 'p1'))).toBe('00000003000000027031000000023132' + '6869');
  });

  it('count bytes and not characters', () => {
    expect(hex(encodeText('é', 'x'))).toBe('0000000300000002c3a978');
  });

  it('write a preview with its metadata and media type', () => {
    const metadata = {
      node_id: '3',
      display_node_id: '3',
      real_node_id: '3',
      prompt_id: 'p',
      parent_node_id: null,
    };
    const frame = Buffer.from(encodePreview(metadata, png));
    const end = 8 + frame.readUInt32BE(4);
    expect(frame.readUInt32BE(0)).toBe(4);
    expect(JSON.parse(frame.subarray(8, end).toString())).toEqual({ ...metadata, image_type: 'image/png' });
    expect(hex(frame.subarray(end))).toBe('8950');
  });
});
