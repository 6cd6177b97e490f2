import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import { encodeFrame } from '../../src/testing/encode-frame.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { encodePreview, encodePreviewWithMetadata, encodeProgressText } from '../helpers/encode-frame.js';
import { wireFrame, wireKinds } from '../helpers/frame-arbitraries.js';
import { runs } from '../helpers/runs.js';

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 7);

describe('encodeFrame', () => {
  it('is undone by decodeFrame, for every kind of frame', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(wireFrame, ({ kind, frame }) => {
        if (frame._tag === 'Malformed') return;
        seen.add(kind);
        const promptText = frame._tag === 'Text' ? frame.promptId !== undefined : undefined;
        assert.deepStrictEqual(decodeFrame(encodeFrame(frame), { promptText }), frame);
      }),
      { numRuns: runs(5_000) },
    );
    expect([...seen].toSorted()).toEqual(wireKinds.toSorted());
  });

  it('M10: writes the large integers of outputs', () => {
    const output = { seeds: [18446744073709551615n, -9007199254740993n, 1.5] };
    const frame: Frame = {
      _tag: 'Event',
      type: 'executed',
      promptId: 'p',
      data: { prompt_id: 'p', node: '1', output },
    };
    expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
  });

  it.each<[string, Exclude<Frame, { _tag: 'Malformed' }>, Uint8Array]>([
    ['type 1', { _tag: 'Preview', mediaType: 'image/jpeg', image: jpeg }, encodePreview(1, jpeg)],
    ['type 1 of a PNG', { _tag: 'Preview', mediaType: 'image/png', image: jpeg }, encodePreview(2, jpeg)],
    [
      'type 4',
      { _tag: 'Preview', mediaType: 'image/jpeg', image: jpeg, metadata: { node_id: 'é' } },
      encodePreviewWithMetadata({ node_id: 'é' }, jpeg),
    ],
    [
      'type 4 from its ids',
      { _tag: 'Preview', mediaType: 'image/jpeg', image: jpeg, promptId: 'p', nodeId: '3' },
      encodePreviewWithMetadata(
        { prompt_id: 'p', node_id: '3', display_node_id: '3', image_type: 'image/jpeg' },
        jpeg,
      ),
    ],
    ['type 3', { _tag: 'Text', nodeId: '12', text: 'hi' }, encodeProgressText('12', 'hi')],
    [
      'type 3 with a job',
      { _tag: 'Text', nodeId: '12', text: 'hé', promptId: 'p1' },
      encodeProgressText('12', 'hé', 'p1'),
    ],
  ])('writes the bytes of %s', (_, frame, bytes) => {
    expect(encodeFrame(frame)).toEqual(bytes);
  });
});
