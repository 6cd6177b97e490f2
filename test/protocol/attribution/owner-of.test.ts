import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/core/protocol/frames/frame.js';
import { ownerOf, runningPrompts } from '../../../src/core/protocol/attribution/running-prompts.js';

const start = (id: string): Frame =>
  decodeFrame(JSON.stringify({ type: 'execution_start', data: { prompt_id: id, timestamp: 1 } }));
const success = (id: string): Frame =>
  decodeFrame(JSON.stringify({ type: 'execution_success', data: { prompt_id: id, timestamp: 1 } }));
const picture: Frame = { _tag: 'Preview', mediaType: 'image/jpeg', image: new Uint8Array([1]) };
const text: Frame = { _tag: 'Text', nodeId: '3', text: 'hi' };

const owners = (...frames: readonly Frame[]): readonly (string | undefined)[] => {
  const running = runningPrompts();
  return frames.map((frame) => ownerOf(frame, running));
};

describe('ownerOf', () => {
  it('is the job that a frame names', () => {
    expect(owners(start('a'), { ...picture, promptId: 'b' })).toEqual(['a', 'b']);
  });

  it('is the only running job for a picture or text that names none', () => {
    expect(owners(picture, start('a'), picture, text, success('a'), picture)).toEqual([
      undefined,
      'a',
      'a',
      'a',
      'a',
      undefined,
    ]);
  });

  it('is nobody while two jobs run, and again the one that is left', () => {
    expect(owners(start('a'), start('b'), picture, success('b'), text).slice(2)).toEqual([
      undefined,
      'b',
      'a',
    ]);
  });

  it.each([
    decodeFrame('{"type":"status","data":{"status":{"exec_info":{"queue_remaining":1}}}}'),
    decodeFrame('{"type":"executing","data":{"node":"3"}}'),
    decodeFrame('{"type":"brand.new","data":{}}'),
    decodeFrame('{'),
  ])('C9: is nobody for any other frame without a name: %o', (frame) => {
    expect(owners(start('a'), frame)[1]).toBeUndefined();
  });
});
