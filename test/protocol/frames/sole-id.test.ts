import { describe, expect, it } from 'vitest';
import { soleId } from '../../../src/protocol/frames/sole-id.js';

const found = (text: string): string | undefined => {
  const id = soleId(text);
  return id?.text.slice(id.start, id.end);
};

describe('soleId', () => {
  it('finds an id wherever it stands, once or often', () => {
    expect(soleId('{"prompt_id": "p1"}')).toEqual({ text: '{"prompt_id": "p1"}', start: 15, end: 17 });
    expect(found('{"a":[{"prompt_id" :\t"p1"}],"prompt_id":"p1"}')).toBe('p1');
    expect(found('{"said":"\\"quoted\\"","prompt_id":"p1"}')).toBe('p1');
  });

  it.each([
    ['no key', '{"node":"prompt_id"}'],
    ['an id that is no string', '{"prompt_id":7}'],
    ['an empty id, twice', '{"prompt_id":"","a":{"prompt_id":""}}'],
    ['no JSON', 'prompt_id'],
  ])('finds nobody where there is %s', (_, text) => {
    expect(found(text)).toBe('');
  });

  it.each([
    ['two ids', '{"prompt_id":"p1","a":{"prompt_id":"p2"}}'],
    ['an id that begins like the first', '{"prompt_id":"p1","a":{"prompt_id":"p12"}}'],
    ['an id with an escape', '{"prompt_id":"p\\n1"}'],
    ['an id that does not end', '{"prompt_id":"p1'],
    ['a key in which a letter may hide', '{"prompt_\\u0069d":"p1"}'],
  ])('says nothing of %s', (_, text) => {
    expect(found(text)).toBeUndefined();
  });
});
