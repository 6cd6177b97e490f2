import { chooseFile } from '../../../src/server/gateway/calls/choose-file.js';
import { describe, expect, it } from 'vitest';
import type { NamedFiles } from '../../../src/server/gateway/native/named-files.js';

const file = (id: string, nodeId: string, mediaType: string, type = 'output') => ({
  id,
  nodeId,
  mediaType,
  type,
});

const files = {
  Film: [file('draft', '7', 'video/mp4', 'temp'), file('film', '7', 'video/mp4')],
  Picture: [file('png', '9', 'image/png'), file('webp', '9', 'image/webp')],
  9: [file('other', '3', 'text/plain', 'temp')],
} as unknown as NamedFiles;

describe('the file whose bytes answer a call', () => {
  it.each([
    [['image/*'], undefined, 'png'],
    [['image/webp', 'image/*'], undefined, 'webp'],
    [['*/*'], undefined, 'film'],
    [['image/*', 'video/*'], undefined, 'png'],
    [['text/plain'], undefined, 'other'],
    [['audio/*'], undefined, undefined],
    [['*/*'], 'Picture', 'png'],
    [['*/*'], '7', 'film'],
    [['image/*'], '9', 'png'],
    [['text/*'], '9', 'other'],
    [['image/*'], 'Film', undefined],
    [['*/*'], 'None', undefined],
  ])('of %j and the name %s is %s', (ranges, name, id) => {
    expect(chooseFile(files, ranges, name)?.id).toBe(id);
  });
});
