import { expect, it } from 'vitest';
import { targetsOf } from '../../../src/page/studio/state/template-targets.js';

it('names the inputs of a template by their labels in any script, each once', () => {
  const shown = ['What to paint?', 'Что рисовать', '絵', '絵', '…'].map((label, at) => ({
    nodeId: String(at),
    input: 'text',
    label,
  }));
  expect(Object.keys(targetsOf(shown))).toEqual(['What_to_paint', 'Что_рисовать', '絵', '絵_2', 'text']);
});
