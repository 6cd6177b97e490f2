import { describe, expect, it } from 'vitest';
import { hex } from '../helpers/encode-frame.js';
import { mediaTypeOfName, sniffMediaType } from '../../src/core/protocol/media-type.js';

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

describe('sniffMediaType', () => {
  it.each([
    ['image/jpeg', hex('FFD8FFE0 0010')],
    ['image/jpeg', hex('FFD8FF')],
    ['image/png', hex('89504E47 0D0A1A0A')],
    ['image/gif', latin1('GIF89a')],
    ['image/gif', latin1('GIF87a')],
    ['image/webp', latin1('RIFF\x10\0\0\0WEBPVP8 ')],
    ['image/avif', latin1('\0\0\0\x1cftypavif')],
    ['image/heic', latin1('\0\0\0\x18ftypheic')],
    ['image/bmp', latin1('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28')],
    ['image/tiff', latin1('II*\0')],
    ['image/tiff', latin1('MM\0*')],
    ['video/mp4', latin1('\0\0\0\x20ftypisom\0\0\x02\0')],
    ['video/mp4', latin1('\0\0\0\x18ftypmp42')],
    ['video/quicktime', latin1('\0\0\0\x14ftypqt  ')],
    ['audio/mp4', latin1('\0\0\0\x1cftypM4A ')],
    ['video/webm', latin1('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm')],
    ['video/x-matroska', latin1('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska')],
    ['video/x-msvideo', latin1('RIFF\x10\0\0\0AVI LIST')],
    ['audio/wav', latin1('RIFF\x10\0\0\0WAVEfmt ')],
    ['audio/flac', latin1('fLaC\0')],
    ['audio/ogg', latin1('OggS\0')],
    ['audio/mpeg', latin1('ID3\x04\0')],
    ['audio/mpeg', hex('FFFB9064')],
    ['audio/mpeg', hex('FFF38064')],
    ['model/gltf-binary', latin1('glTF\x02\0\0\0')],
  ])('knows %s', (mediaType, bytes) => expect(sniffMediaType(bytes)).toBe(mediaType));

  it.each([
    ['nothing', ''],
    ['one byte', 'FF'],
    ['two bytes of a JPEG', 'FFD8'],
    ['a half PNG', '89504E'],
    ['FF and no sound', 'FF00FFE0'],
    ['a reserved layer', 'FFF90000'],
    ['other bytes', '00010203 04050607'],
    ['text', '68656C6C 6F20776F 726C64'],
    ['RIFF of another form', '52494646 00000000 41424344'],
    ['RIFF alone', '52494646'],
    ['BM and words', '424D 48656C6C6F2C20776F726C64 2E2E2E2E'],
  ])('does not know %s', (_, digits) => expect(sniffMediaType(hex(digits))).toBeUndefined());

  it('reads at most 64 bytes', () => {
    const late = latin1(`\x1aE\xdf\xa3${'\0'.repeat(60)}webm`);
    expect(sniffMediaType(late)).toBe('video/x-matroska');
  });
});

describe('mediaTypeOfName', () => {
  it.each([
    ['a_00001_.png', 'image/png'],
    ['A.JPG', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['clip.webm', 'video/webm'],
    ['clip.mp4', 'video/mp4'],
    ['song.flac', 'audio/flac'],
    ['song.opus', 'audio/ogg'],
    ['mesh.glb', 'model/gltf-binary'],
    ['archive.tar.zip', 'application/zip'],
    ['folder.mp4/x.wav', 'audio/wav'],
  ])('knows %s', (name, mediaType) => expect(mediaTypeOfName(name)).toBe(mediaType));

  it.each(['', '.', 'png', 'noextension', 'a.', 'a.unknown', 'a.png ', 'a.constructor', 'a.__proto__'])(
    'does not know %j',
    (name) => expect(mediaTypeOfName(name)).toBeUndefined(),
  );
});
