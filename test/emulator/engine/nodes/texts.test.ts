import { describe, expect, it } from 'vitest';
import { recordingContext, runNode, testPicture } from '../run-node.js';

describe('PreviewText', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['text', 'héllo 日本', ['héllo 日本']],
    ['a list', ['a', 'b'], ['a', 'b']],
    ['a number', 5, ['5']],
    ['a seed', 5n, ['"5"']],
    ['pictures', [testPicture(3, 2)], ['picture 3 × 2']],
    ['a structure', { kind: 'MASK', bytes: new Uint8Array(4) }, ['{"kind":"MASK","bytes":"4 bytes"}']],
    ['nothing', undefined, ['']],
  ])('shows %s as progress text and as output', async (_, source, texts) => {
    const context = recordingContext();
    const result = await runNode('PreviewText', { source }, context);
    expect(context.texts).toEqual(texts);
    expect(result).toEqual({ values: [texts.join('\n')], ui: { text: texts } });
  });
});
