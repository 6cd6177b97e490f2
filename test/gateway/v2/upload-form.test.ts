import { describe, expect, it } from 'vitest';
import { readAssetFields } from '../../../src/server/gateway/v2/asset-fields.js';
import { readUploadForm } from '../../../src/server/gateway/v2/upload-form.js';

const formOf = (fields: Readonly<Record<string, string>>, name = 'C:\\pictures\\mine.png'): FormData => {
  const form = new FormData();
  form.set('file', new Blob(['abc']), name);
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return form;
};

const fieldsOf = (fields: Readonly<Record<string, unknown>>) => readAssetFields((name) => fields[name]);

describe('the form of an upload', () => {
  it('has the file, and its own name where it says no path', () => {
    const read = readUploadForm(formOf({}));
    expect(read).toMatchObject({ right: { fields: { filePath: 'mine.png' } } });
    expect(read).not.toHaveProperty('right.maskOf');
    expect(readUploadForm(formOf({ file_path: '' }, 'folder/a.png'))).toMatchObject({
      right: { fields: { filePath: 'a.png' } },
    });
    expect(readUploadForm(formOf({ file_path: 'b/c.png', mask_of: 'm' }))).toMatchObject({
      right: { fields: { filePath: 'b/c.png' }, maskOf: 'm' },
    });
  });

  it('is refused without a file, or with a field that is none', () => {
    const form = new FormData();
    form.set('file', 'a text');
    expect(readUploadForm(form)).toMatchObject({
      left: { status: 422, code: 'validation_error', message: 'The form has no part `file`.' },
    });
    expect(readUploadForm(formOf({ expires_in: '1' }))).toMatchObject({ left: { status: 422 } });
  });
});

describe('the fields of an upload', () => {
  const hash = `blake3:${'0'.repeat(64)}`;

  it('are texts and seconds; empty ones are absent', () => {
    const read = {
      filePath: 'a/b.png',
      contentType: 'image/png; a=b',
      expectedHash: hash,
      expiresInMs: 60_000,
    };
    const given = { file_path: 'a/b.png', content_type: 'image/png; a=b', expected_hash: hash };
    for (const seconds of [60, '60'])
      expect(fieldsOf({ ...given, expires_in: seconds })).toEqual({ _tag: 'Right', right: read });
    const absent = {
      ...{ filePath: undefined, contentType: undefined, expectedHash: undefined, expiresInMs: undefined },
    };
    for (const none of ['', null, undefined])
      expect(
        fieldsOf({ file_path: none, content_type: none, expected_hash: none, expires_in: none }),
      ).toEqual({ _tag: 'Right', right: absent });
    expect(fieldsOf({ expires_in: 604_800 })).toMatchObject({ right: { expiresInMs: 604_800_000 } });
  });

  it.each([
    [{ file_path: 7 }, 'take text'],
    ...['../a', 'a/../b', 'a/./b', 'a//b', '/a', '\\a', 'C:a', 'a\u0000', 'x'.repeat(1_025)].map((path) => [
      { file_path: path },
      '`file_path` leaves its folder.',
    ]),
    [{ content_type: 'image' }, '`content_type` is no media type.'],
    [{ content_type: 'image/png\nx: y' }, '`content_type` is no media type.'],
    [{ content_type: 'x image/png' }, '`content_type` is no media type.'],
    [{ expected_hash: hash.slice(1) }, '`expected_hash` takes'],
    [{ expires_in: 59 }, '`expires_in` takes'],
    [{ expires_in: '604801' }, '`expires_in` takes'],
    [{ expires_in: '6e1' }, '`expires_in` takes'],
    [{ expires_in: '0x3c' }, '`expires_in` takes'],
    [{ expires_in: 60.5 }, '`expires_in` takes'],
    [{ expires_in: {} }, '`expires_in` takes'],
  ] as [Readonly<Record<string, unknown>>, string][])('refuse %j', (fields, message) => {
    expect(fieldsOf(fields)).toMatchObject({
      left: { status: 422, code: 'validation_error', message: expect.stringContaining(message) as string },
    });
  });

  it('may be as long as a path is', () => {
    expect(fieldsOf({ file_path: 'x'.repeat(1_024) })).toMatchObject({ _tag: 'Right' });
    expect(fieldsOf({ file_path: 'in/take: two.png' })).toMatchObject({ _tag: 'Right' });
  });
});
