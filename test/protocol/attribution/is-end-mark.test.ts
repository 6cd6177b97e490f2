import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import { isEndMark } from '../../../src/core/protocol/attribution/running-prompts.js';

const executing = (data: string) => decodeFrame(`{"type":"executing","data":{${data}}}`);

describe('isEndMark', () => {
  it.each(['"prompt_id":"a"', '"prompt_id":"a","node":null', '"prompt_id":"a","node":""'])(
    'takes executing without a node for one: {%s}',
    (data) => expect(isEndMark(executing(data))).toBe(true),
  );

  it('takes neither a node nor an end for one', () => {
    expect(isEndMark(executing('"prompt_id":"a","node":"3"'))).toBe(false);
    expect(isEndMark(decodeFrame('{"type":"execution_success","data":{"prompt_id":"a"}}'))).toBe(false);
  });
});
