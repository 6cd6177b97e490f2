import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { encodePreviewWithMetadata, encodeProgressText, hex } from '../../helpers/encode-frame.js';

const jpeg = 'FFD8FFE0 00104A46';
const png = '89504E47 0D0A1A0A';
const uuid = '6a1f0c52-7d3e-4b8a-9c1d-2e5f60718293';

const preview = (mediaType: string, image: string): unknown => ({
  _tag: 'Preview',
  mediaType,
  image: hex(image),
});

describe('D4: decodeBinary: type 1', () => {
  it.each([
    ['JPEG', `00000001 00000001 ${jpeg}`, preview('image/jpeg', jpeg)],
    ['PNG', `00000001 00000002 ${png}`, preview('image/png', png)],
    ['a PNG with the code of JPEG', `00000001 00000001 ${png}`, preview('image/png', png)],
    ['a JPEG with the code of PNG', `00000001 00000002 ${jpeg}`, preview('image/jpeg', jpeg)],
    ['an unknown code', `00000001 00000063 ${png}`, preview('image/png', png)],
    [
      'a WebP',
      '00000001 00000001 52494646 00000000 57454250',
      preview('image/webp', '52494646 00000000 57454250'),
    ],
  ])('reads %s', (_, bytes, frame) => expect(decodeFrame(hex(bytes))).toStrictEqual(frame));
});

describe('M6: decodeBinary: a label is not taken on trust', () => {
  const animated = `00000001 00000001 00000001 00000007 02 3132 ${'00'.repeat(13)} ${jpeg}`;

  it.each([
    ['an animated preview: a frame number and 16 bytes of node id before the JPEG', animated],
    ['unknown bytes, code 1', '00000001 00000001 AA'],
    ['unknown bytes, code 2', '00000001 00000002 AA'],
    ['unknown bytes, unknown code', '00000001 FFFFFFFF AA'],
    ['a text', `00000001 00000001 ${Buffer.from('<html>').toString('hex')}`],
    ['two bytes that sound begins with', '00000001 00000001 FFFB'],
    ['a sound', `00000001 00000001 ${Buffer.from('fLaC').toString('hex')}`],
    ['a type 4 without image_type', '00000004 00000002 7B7D AABB'],
  ])('keeps %s as an unknown message', (_, digits) => {
    const bytes = hex(digits);
    expect(decodeFrame(bytes)).toStrictEqual({ _tag: 'Unknown', kind: 'binary', type: bytes[3], bytes });
  });

  it.each(['image/jpeg', 'image/png', 'image/x-new', 'text\nhtml', 5])(
    'keeps a type 4 that only its metadata calls %j as an unknown message',
    (image_type) => {
      const bytes = encodePreviewWithMetadata({ image_type, prompt_id: uuid }, hex('AABB'));
      expect(decodeFrame(bytes)).toStrictEqual({ _tag: 'Unknown', kind: 'binary', type: 4, bytes });
    },
  );

  it('copies nothing of it', () => {
    const bytes = hex(animated);
    const frame = decodeFrame(bytes);
    expect(frame._tag === 'Unknown' && frame.kind === 'binary' && frame.bytes.buffer).toBe(bytes.buffer);
  });
});

describe('decodeBinary: type 3', () => {
  const old = '00000003 00000002 3132 6869';
  const newer = '00000003 00000002 7031 00000002 3132 6869';

  it('reads the old layout by default', () => {
    const frame = { _tag: 'Text', nodeId: '12', text: 'hi' };
    expect(decodeFrame(hex(old))).toStrictEqual(frame);
    expect(decodeFrame(hex(old), { promptText: false })).toStrictEqual(frame);
  });

  it('reads the newer layout with promptText', () => {
    const frame = { _tag: 'Text', nodeId: '12', text: 'hi', promptId: 'p1' };
    expect(decodeFrame(hex(newer), { promptText: true })).toStrictEqual(frame);
  });

  it('reads text beyond ASCII, none at all, and a byte order mark', () => {
    for (const text of ['héllo 日本 1/3 🎈', '', '\ufeffx', '\0\n']) {
      expect(decodeFrame(encodeProgressText('22', text))).toStrictEqual({ _tag: 'Text', nodeId: '22', text });
    }
  });

  it('takes a UUID with a second id after it for a prompt id by default', () => {
    const bytes = encodeProgressText('12', 'hi', uuid);
    const withPrompt = { _tag: 'Text', nodeId: '12', text: 'hi', promptId: uuid };
    expect(decodeFrame(bytes)).toStrictEqual(withPrompt);
    expect(decodeFrame(bytes, { promptText: true })).toStrictEqual(withPrompt);
    const asNode = { _tag: 'Text', nodeId: uuid, text: '\0\0\0\x0212hi' };
    expect(decodeFrame(bytes, { promptText: false })).toStrictEqual(asNode);
  });

  it.each([
    ['no second length', uuid, ''],
    ['an implausible second length', uuid, 'percent done'],
    ['36 characters that are no UUID', uuid.replaceAll('-', '+'), '\0\0\0\x0212hi'],
    ['another length', uuid.slice(1), '\0\0\0\x0212hi'],
  ])('does not guess at %s', (_, nodeId, text) => {
    expect(decodeFrame(encodeProgressText(nodeId, text))).toStrictEqual({ _tag: 'Text', nodeId, text });
  });

  it('keeps a replacement character that was sent as such', () => {
    expect(decodeFrame(hex('00000003 00000001 31 EFBFBD'))).toStrictEqual({
      _tag: 'Text',
      nodeId: '1',
      text: '\uFFFD',
    });
  });
});

describe('decodeBinary: type 4', () => {
  it('reads a preview with empty metadata', () => {
    expect(decodeFrame(hex(`00000004 00000002 7B7D ${jpeg}`))).toStrictEqual({
      _tag: 'Preview',
      mediaType: 'image/jpeg',
      image: hex(jpeg),
      metadata: {},
    });
  });

  it('reads all metadata', () => {
    const metadata = {
      node_id: '5.0.0.1',
      display_node_id: '5',
      real_node_id: '5',
      prompt_id: uuid,
      parent_node_id: null,
      image_type: 'image/png',
      extra: [1],
    };
    expect(decodeFrame(encodePreviewWithMetadata(metadata, hex(png)))).toStrictEqual({
      _tag: 'Preview',
      mediaType: 'image/png',
      image: hex(png),
      metadata,
      promptId: uuid,
      nodeId: '5.0.0.1',
      displayNodeId: '5',
    });
  });

  it.each([
    ['another kind', 'image/png', jpeg, 'image/jpeg'],
    ['an unknown kind', 'image/x-new', png, 'image/png'],
    ['nothing', undefined, png, 'image/png'],
    ['no text', 5, jpeg, 'image/jpeg'],
  ])('reads the kind from the picture where the metadata says %s', (_, image_type, image, mediaType) => {
    expect(decodeFrame(encodePreviewWithMetadata({ image_type }, hex(image)))).toMatchObject({ mediaType });
  });

  it.each([[''], [null], [5], [['p']]])('takes no id from %j', (id) => {
    const metadata = { prompt_id: id, node_id: id, display_node_id: id };
    expect(decodeFrame(encodePreviewWithMetadata(metadata, hex(jpeg)))).toStrictEqual({
      _tag: 'Preview',
      mediaType: 'image/jpeg',
      image: hex(jpeg),
      metadata,
    });
  });
});

describe('decodeBinary: other types', () => {
  it.each([
    ['0', '00000000'],
    ['2, which never goes on the wire', '00000002 00000001 FFD8FF'],
    ['5', '00000005 01020304'],
    ['99', '00000063'],
    ['2³²-1', 'FFFFFFFF 00'],
    ['bytes that begin like JSON and are none', '7B226122 3A'],
    ['bytes that begin like JSON and are no UTF-8', '7B22FF22 3A317D'],
  ])('keeps type %s visible', (_, digits) => {
    const bytes = hex(digits);
    const type = Buffer.from(bytes).readUInt32BE();
    expect(decodeFrame(bytes)).toStrictEqual({ _tag: 'Unknown', kind: 'binary', type, bytes });
  });

  it('reads JSON that came as bytes', () => {
    const text = ' \r\n\t{"type": "executing", "data": {"node": "3", "prompt_id": "p1"}}';
    expect(decodeFrame(new TextEncoder().encode(text))).toStrictEqual(decodeFrame(text));
    expect(
      decodeFrame(new TextEncoder().encode('{"type":"status","data":{"queue_remaining":NaN}}')),
    ).toMatchObject({
      _tag: 'Malformed',
      reason: 'status: queue_remaining should be a number',
      size: 48,
    });
    expect(decodeFrame(hex('7B7D'))).toMatchObject({
      _tag: 'Malformed',
      reason: 'type should be a string',
      size: 2,
    });
  });
});

describe('decodeBinary: malformed', () => {
  it.each([
    ['nothing', '', 'shorter than its type'],
    ['1 byte', '00', 'shorter than its type'],
    ['3 bytes', '000000', 'shorter than its type'],
    ['type 1 alone', '00000001', 'type 1: the picture is empty'],
    ['type 1 with half a code', '00000001 0000', 'type 1: the picture is empty'],
    ['type 1 without picture', '00000001 00000001', 'type 1: the picture is empty'],
    ['type 3 alone', '00000003', 'type 3: the first id does not fit'],
    ['type 3 with half a length', '00000003 000000', 'type 3: the first id does not fit'],
    [
      'type 3 with an id that runs past the end',
      '00000003 000000FF 3132',
      'type 3: the first id does not fit',
    ],
    ['type 3 with the longest id', '00000003 FFFFFFFF 3132', 'type 3: the first id does not fit'],
    ['type 3 with an empty id', '00000003 00000000 6869', 'type 3: the first id does not fit'],
    ['type 3 with an id that is no UTF-8', '00000003 00000001 FF 6869', 'type 3: not valid UTF-8'],
    ['type 3 with text that is no UTF-8', '00000003 00000001 31 C328', 'type 3: not valid UTF-8'],
    ['type 4 alone', '00000004', 'type 4: shorter than its header of 8 bytes'],
    ['type 4 with half a length', '00000004 000000', 'type 4: shorter than its header of 8 bytes'],
    ['type 4 without picture', '00000004 00000002 7B7D', 'type 4: the picture is empty'],
    ['type 4 one byte too short', '00000004 00000003 7B7D', 'type 4: metadata longer than the frame'],
    ['type 4 with a length of 2³¹', '00000004 80000000 7B7D', 'type 4: metadata longer than 64 KiB'],
    ['type 4 with a length of 2³²-1', '00000004 FFFFFFFF 7B7D', 'type 4: metadata longer than 64 KiB'],
    ['type 4 without metadata', '00000004 00000000 FFD8FF', 'type 4: the metadata should be a JSON object'],
    ['type 4 with a list', '00000004 00000002 5B5D FFD8FF', 'type 4: the metadata should be a JSON object'],
    ['type 4 with null', '00000004 00000004 6E756C6C FFD8FF', 'type 4: the metadata should be a JSON object'],
    [
      'type 4 with broken JSON',
      '00000004 00000002 7B22 FFD8FF',
      'type 4: the metadata should be a JSON object',
    ],
    ['type 4 with no UTF-8', '00000004 00000001 FF FFD8FF', 'type 4: the metadata should be a JSON object'],
  ])('survives %s', (_, digits, reason) => {
    const bytes = hex(digits);
    const sample = digits.replaceAll(' ', '').slice(0, 16).toLowerCase().match(/../g)?.join(' ') ?? '';
    expect(decodeFrame(bytes)).toStrictEqual({ _tag: 'Malformed', reason, size: bytes.length, sample });
  });

  it.each([
    ['no node id', '00000003 00000002 7031'],
    ['half a second length', '00000003 00000002 7031 0000'],
    ['an empty prompt id', '00000003 00000000 00000001 31'],
    ['an empty node id', '00000003 00000001 70 00000000 6869'],
    ['a node id past the end', '00000003 00000001 70 00000003 3132'],
    ['a prompt id that is no UTF-8', '00000003 00000001 FF 00000001 31'],
  ])('survives the newer type 3 with %s', (_, digits) => {
    expect(decodeFrame(hex(digits), { promptText: true })).toMatchObject({ _tag: 'Malformed' });
  });

  it('takes metadata up to 64 KiB', () => {
    const padded = (length: number): object => ({ pad: 'x'.repeat(length - '{"pad":""}'.length) });
    const atLimit = encodePreviewWithMetadata(padded(65_536), hex(jpeg));
    const beyond = encodePreviewWithMetadata(padded(65_537), hex(jpeg));
    expect(decodeFrame(atLimit)).toMatchObject({ _tag: 'Preview' });
    expect(decodeFrame(beyond)).toMatchObject({ reason: 'type 4: metadata longer than 64 KiB' });
  });
});
