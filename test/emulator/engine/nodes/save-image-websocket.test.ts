import { describe, expect, it } from 'vitest';
import { recordingContext, runNode } from '../run-node.js';

describe('SaveImageWebsocket', () => {
  it('sends each picture as PNG with a step of its own, and has no output', async () => {
    const picture = { width: 2, height: 1, rgb: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    const context = recordingContext();
    const result = await runNode('SaveImageWebsocket', { images: [picture, picture] }, context);
    expect(result).toEqual({ values: [] });
    expect(context.steps).toEqual([
      [0, 2],
      [1, 2],
    ]);
    const sent = context.previews.map((preview) => preview());
    expect(sent.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'image/png']);
    expect(Array.from(sent[0]?.bytes.subarray(1, 4) ?? [])).toEqual([0x50, 0x4e, 0x47]);
    expect(context.saved).toEqual([]);
  });
});
