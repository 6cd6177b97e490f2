import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { withoutSecrets } from '../../src/core/socket/redact-frames.js';

const binary = new ArrayBuffer(8);
const image = new Uint8Array();
const event = { _tag: 'Event', type: 'status', data: {} } as unknown as Frame;
const text: Frame = { _tag: 'Text', nodeId: '3', text: 'half done' };
const picture: Frame = { _tag: 'Preview', mediaType: 'image/png', image };

/** What of a frame is searched for secrets: nothing, all of it, or all of it where a text looks suspect. */
const searched = (data: string | ArrayBuffer, frame: Frame): unknown => {
  let seen: unknown = 'nothing';
  const result = withoutSecrets(data, frame, <A>(value: A, raw?: string): A => {
    expect(value).toBe(frame);
    seen = raw ?? 'everything';
    return { ...value };
  });
  expect(result === frame).toBe(seen === 'nothing');
  return seen;
};

describe('withoutSecrets', () => {
  it.each<[string, string | ArrayBuffer, Frame, string]>([
    ['an event by its message', '{"type":"status"}', event, '{"type":"status"}'],
    ['a text by its parts', binary, text, '\n3\nhalf done'],
    ['a text of a job by its parts', binary, { ...text, promptId: 'p' }, 'p\n3\nhalf done'],
    ['a picture by its metadata', binary, { ...picture, metadata: { a: 'b' } }, '{"a":"b"}'],
    ['not a picture without', binary, picture, 'nothing'],
    [
      'an unknown frame whole',
      binary,
      { _tag: 'Unknown', kind: 'binary', type: 9, bytes: image },
      'everything',
    ],
    ['not a malformed one', '{', { _tag: 'Malformed', reason: 'r', size: 1, sample: '{' }, 'nothing'],
  ])('searches %s', (_, data, frame, expected) => {
    expect(searched(data, frame)).toBe(expected);
  });

  it('leaves a frame as it is where there is no secret', () => {
    expect(withoutSecrets('{}', event)).toBe(event);
  });
});
