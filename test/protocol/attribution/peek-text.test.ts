import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import { encodeMessage, encodeMessageLikePython } from '../../helpers/encode-frame.js';
import { eventFixtures } from '../../helpers/event-fixtures.js';
import { peekText } from '../../../src/core/protocol/attribution/peek-text.js';

describe('peekText', () => {
  it.each(eventFixtures.map((fixture) => [fixture.type, fixture.shape, fixture] as const))(
    'finds the job of %s, %s',
    (type, _, { data, promptId }) => {
      for (const text of [encodeMessage(type, data), encodeMessageLikePython(type, data)]) {
        const { promptIds } = peekText(text);
        if (promptId !== undefined) expect(promptIds).toContain(promptId);
        expect(decodeFrame(text).promptId).toBe(promptId);
      }
    },
  );

  it.each([
    ['{"type":"progress","data":{"prompt_id":"p"}}', 'progress', ['p']],
    ['{"data":{"prompt_id":"p"},"type":"progress"}', 'progress', ['p']],
    [' { "type" : "progress" , "data" : { "prompt_id" : "p" } } ', 'progress', ['p']],
    ['{"type":"status","data":{}}', 'status', []],
    ['{"type":"x","data":{"prompt_id":null}}', 'x', []],
    ['{"type":"x","data":{"prompt_id":{"prompt_id":"deep"}}}', 'x', ['deep']],
    ['{"type":"x","data":{"prompt_id":"a","more":{"prompt_id":"b"}}}', 'x', ['a', 'b']],
    ['{"type":"x","data":{"prompt_id":"a","prompt_id":"b"}}', 'x', ['a', 'b']],
    ['{"type":"x","data":{"prompt_id":"a","more":{"prompt_id":"a"}}}', 'x', ['a']],
    ['{"type":"x","data":["prompt_id","type"]}', 'x', []],
    ['{"type":"x","data":"\\"prompt_id\\":\\"p\\""}', 'x', []],
    ['{"type":"x","data":{"prompt_id":""}}', 'x', ['']],
    ['{"data":["type","prompt_id"],"type":"x","sid":{"prompt_id":"p"}}', 'x', ['p']],
    ['{"subtype":"y","type":"x","data":{"my_prompt_id":"q","prompt_id":"p"}}', 'x', ['p']],
  ])('looks into %s', (text, type, promptIds) => expect(peekText(text)).toStrictEqual({ type, promptIds }));

  it.each([
    [
      'two keys type',
      '{"type":"a","data":{"prompt_id":"p","type":"b"}}',
      { type: undefined, promptIds: ['p'] },
    ],
    ['a type that is no text', '{"type":5,"data":{}}', { type: undefined, promptIds: [] }],
    ['no type', '{"data":{}}', { type: undefined, promptIds: [] }],
    ['a text alone', '"progress"', { type: undefined, promptIds: [] }],
    ['an escape in the type', '{"type":"a\\nb","data":{}}', { type: undefined, promptIds: [] }],
    ['an escape in an id', '{"type":"a","data":{"prompt_id":"p\\/q"}}', { type: 'a', promptIds: undefined }],
    ['an id without end', '{"type":"a","data":{"prompt_id":"p', { type: 'a', promptIds: undefined }],
    ['an escaped letter', '{"type":"a","data":{"prompt\\u005fid":"p"}}', {}],
    ['an escaped letter of type', '{"type":"a","t\\u0079pe":"b"}', {}],
  ])('says nothing where it can not be sure: %s', (_, text, peeked) =>
    expect(peekText(text)).toStrictEqual(peeked),
  );

  it('still looks into text with other escapes', () => {
    const text = '{"type":"executed","data":{"prompt_id":"p","text":["\\u65e5\\n\\"\\\\"]}}';
    expect(peekText(text)).toStrictEqual({ type: 'executed', promptIds: ['p'] });
  });
});
