import { describe, expect, it } from 'vitest';
import { encodePreview, encodePreviewWithMetadata, hex } from '../../helpers/encode-frame.js';
import { peekOwner } from '../../../src/core/protocol/attribution/peek-owner.js';

const image = hex('FFD8FF');
const progress = (data: string): string => `{"type": "progress", "data": {${data}}}`;
const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

describe('peekOwner', () => {
  it.each([
    ['progress', progress('"value": 1, "prompt_id": "p1"'), 'p1'],
    [
      'progress_state of one job',
      '{"type":"progress_state","data":{"nodes":{"1":{"prompt_id":"p1"},"2":{"prompt_id":"p1"}},"prompt_id":"p1"}}',
      'p1',
    ],
    ['an escape elsewhere', progress('"node": "a\\n", "prompt_id": "p1"'), 'p1'],
    ['escaped quotes elsewhere', progress('"said": "\\"quoted\\"", "prompt_id": "p1"'), 'p1'],
    ['blanks around the colon', progress('"prompt_id" :\t"p1"'), 'p1'],
  ])('finds the job of %s', (_, text, promptId) => {
    expect(peekOwner(text)).toEqual({ promptId });
  });

  it.each([
    ['another type', '{"type":"executing","data":{"prompt_id":"p1"}}'],
    ['a type that begins alike', '{"type":"progress_of","data":{"prompt_id":"p1"}}'],
    ['two types', '{"type":"progress","data":{"type":"x","prompt_id":"p1"}}'],
    ['two jobs', progress('"prompt_id": "p1", "nodes": {"prompt_id": "p2"}')],
    [
      'two jobs, one the beginning of the other',
      progress('"prompt_id": "p1", "nodes": {"prompt_id": "p12"}'),
    ],
    ['an empty id before another', progress('"prompt_id": "", "nodes": {"prompt_id": "p1"}')],
    ['what the server announces', '{"type":"feature_flags","data":{}}'],
    ['no type', '{"data":{"value":1}}'],
    ['a type that is no string', '{"type":7,"data":{}}'],
    ['an id with an escape', progress('"prompt_id": "p\\n1"')],
    ['an id that does not end', '{"type":"progress","data":{"prompt_id":"p1'],
    ['a letter in an escape', progress('"prompt_id": "p1", "n": "\\u0041"')],
  ])('finds none in a text with %s', (_, text) => {
    expect(peekOwner(text)).toBeUndefined();
  });

  it.each([
    ['no id', '{"type":"status","data":{"sid":"x"}}'],
    ['an empty id', progress('"prompt_id": ""')],
    ['an empty id, twice', progress('"prompt_id": "", "nodes": {"prompt_id": ""}')],
    ['the name of an id as a value', progress('"node": "prompt_id"')],
    ['an id that is no string', progress('"prompt_id": 7')],
  ])('says that a text with %s names no job', (_, text) => {
    expect(peekOwner(text)).toEqual({});
  });

  it('finds the job that a picture names', () => {
    expect(peekOwner(buffer(encodePreviewWithMetadata({ prompt_id: 'p1' }, image)))).toEqual({
      promptId: 'p1',
    });
    expect(peekOwner(buffer(encodePreview(1, image)))).toBeUndefined();
  });
});
