import { describe, expect, it } from 'vitest';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import { runNode } from '../run-node.js';

const text = (words: string) => ({ kind: 'CONDITIONING', text: words });

const textOf = async (name: string, inputs: Readonly<Record<string, unknown>>): Promise<unknown> =>
  (await runNode(name, inputs)).values;

describe('M11: classes of conditioning', () => {
  const pair = { conditioning_to: text('a cat'), conditioning_from: text('a hat') };

  it.each([
    ['ConditioningCombine', { conditioning_1: text('a cat'), conditioning_2: text('a hat') }, 'a cat, a hat'],
    ['ConditioningCombine', { conditioning_1: text(''), conditioning_2: text('a hat') }, 'a hat'],
    ['ConditioningConcat', pair, 'a cat, a hat'],
    ['ConditioningAverage', { ...pair, conditioning_to_strength: 1 }, 'a cat'],
    ['ConditioningAverage', { ...pair, conditioning_to_strength: 0.4 }, 'a cat, a hat'],
    ['ConditioningAverage', { ...pair, conditioning_to_strength: 0 }, 'a hat'],
    ['ConditioningZeroOut', { conditioning: text('a cat') }, ''],
    ['FluxGuidance', { conditioning: text('a cat'), guidance: 3.5 }, 'a cat'],
    ['ConditioningSetMask', { conditioning: text('a cat'), strength: 1 }, 'a cat'],
    ['ReferenceLatent', { conditioning: text('a cat') }, 'a cat'],
  ])('%s of %j', async (name, inputs, words) => {
    expect(await textOf(name, inputs)).toEqual([text(words)]);
  });

  it.each(['LTXVConditioning', 'ConditioningStableAudio'])('%s keeps both texts', async (name) => {
    const inputs = { positive: text('a cat'), negative: text('rain') };
    expect(await textOf(name, inputs)).toEqual([text('a cat'), text('rain')]);
  });

  it('refuse what is no conditioning', async () => {
    await expect(textOf('FluxGuidance', { conditioning: 'a cat', guidance: 1 })).rejects.toMatchObject({
      exceptionType: 'TypeError',
    });
    expect(nodeClasses.get('FluxGuidance')?.definition({ inputs: [] }).python_module).toBe(
      'comfy_extras.nodes_flux',
    );
  });
});
