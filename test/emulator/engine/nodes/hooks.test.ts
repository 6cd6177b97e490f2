import { describe, expect, it } from 'vitest';
import { runNode } from '../run-node.js';

const text = (words: string) => ({ kind: 'CONDITIONING', text: words });

const make = async (name: string, inputs: Readonly<Record<string, unknown>>): Promise<unknown> =>
  (await runNode(name, inputs)).values[0];

const hook = (checkpoint: string, prev?: unknown) =>
  make('CreateHookModelAsLora', {
    ...{ ckpt_name: checkpoint, strength_model: 1, strength_clip: 0.5 },
    ...(prev !== undefined && { prev_hooks: prev }),
  });

const framesOf = (value: unknown): readonly (readonly number[])[] =>
  (value as { keyframes: readonly { startPercent: number; strength: number }[] }).keyframes.map(
    ({ startPercent, strength }) =>
      [startPercent, strength].map((number) => Math.round(number * 1000) / 1000),
  );

describe('M11: hooks', () => {
  it('follow those before them, and are joined in the order of their inputs', async () => {
    const [one, other] = [await hook('a', await hook('b')), await hook('c')];
    for (const count of [2, 4, 8]) {
      expect(await make(`CombineHooks${count}`, { hooks_A: other, hooks_B: one })).toMatchObject({
        hooks: [{ checkpoint: 'c' }, { checkpoint: 'b' }, { checkpoint: 'a' }],
      });
      expect(await make(`CombineHooks${count}`, {})).toBeNull();
    }
  });

  it('get their keyframes, which have to have hooks', async () => {
    const keyframe = await make('CreateHookKeyframe', { strength_mult: 2, start_percent: 0.5 });
    expect(await make('SetHookKeyframes', { hooks: await hook('a'), hook_kf: keyframe })).toMatchObject({
      hooks: [{ checkpoint: 'a', keyframes: [{ strength: 2, startPercent: 0.5 }] }],
    });
    expect(await make('SetHookKeyframes', { hooks: await hook('a') })).toEqual(await hook('a'));
    await expect(make('SetHookKeyframes', { hooks: null, hook_kf: keyframe })).rejects.toMatchObject({
      exceptionType: 'AttributeError',
    });
  });
});

describe('M11: keyframes of hooks', () => {
  const between = { start_percent: 0, end_percent: 1, print_keyframes: false };
  const shape = { ...between, strength_start: 0, strength_end: 1, keyframes_count: 3 };

  it.each([
    ['linear', 0.5],
    ['ease_in', 0.25],
    ['ease_out', 0.75],
    ['ease_in_out', 0.5],
  ])('are spread by %s', async (interpolation, middle) => {
    const made = await make('CreateHookKeyframesInterpolated', { ...shape, interpolation });
    expect(framesOf(made)).toEqual([
      [0, 0],
      [0.5, middle],
      [1, 1],
    ]);
  });

  it('are made of a list of strengths, or of one', async () => {
    const of = (floats: unknown) =>
      make('CreateHookKeyframesFromFloats', { ...between, start_percent: 0.2, floats_strength: floats });
    expect(framesOf(await of([1, 2, 3]))).toEqual([
      [0.2, 1],
      [0.6, 2],
      [1, 3],
    ]);
    expect(framesOf(await of(4))).toEqual([[0.2, 4]]);
    await expect(of('strong')).rejects.toMatchObject({ exceptionType: 'Exception' });
  });

  it('stand among those before them by when they begin', async () => {
    const late = await make('CreateHookKeyframe', { strength_mult: 1, start_percent: 0.8 });
    const both = await make('CreateHookKeyframe', {
      ...{ strength_mult: 2, start_percent: 0.3, prev_hook_kf: late },
    });
    expect(framesOf(both)).toEqual([
      [0.3, 2],
      [0.8, 1],
    ]);
  });
});

describe('M11: conditioning with hooks', () => {
  const [cat, hat, rain, snow] = ['a cat', 'a hat', 'rain', 'snow'].map(text);
  const joinedPair = [text('a cat, a hat'), text('rain, snow')];

  it.each([
    ['ConditioningSetProperties', { cond_NEW: cat, strength: 1 }, [cat]],
    [
      'ConditioningSetPropertiesAndCombine',
      { cond: cat, cond_NEW: hat, strength: 1 },
      [text('a cat, a hat')],
    ],
    ['ConditioningSetDefaultCombine', { cond: cat, cond_DEFAULT: hat }, [text('a cat, a hat')]],
    ['PairConditioningSetProperties', { positive_NEW: cat, negative_NEW: rain, strength: 1 }, [cat, rain]],
    [
      'PairConditioningSetPropertiesAndCombine',
      { positive: cat, negative: rain, positive_NEW: hat, negative_NEW: snow, strength: 1 },
      joinedPair,
    ],
    [
      'PairConditioningSetDefaultCombine',
      { positive: cat, negative: rain, positive_DEFAULT: hat, negative_DEFAULT: snow },
      joinedPair,
    ],
    [
      'PairConditioningCombine',
      { positive_A: cat, negative_A: rain, positive_B: hat, negative_B: snow },
      joinedPair,
    ],
  ])('is joined by %s', async (name, inputs, values) => {
    const [timesteps] = (
      await runNode('ConditioningTimestepsRange', { start_percent: 0.2, end_percent: 0.6 })
    ).values;
    const mask = { kind: 'MASK', width: 1, height: 1, bytes: Uint8Array.of(255) };
    expect((await runNode(name, inputs)).values).toEqual(values);
    const more = { hooks: await hook('a'), mask, timesteps };
    expect((await runNode(name, { ...inputs, ...more })).values).toEqual(values);
    await expect(runNode(name, { ...inputs, hooks: cat })).rejects.toMatchObject({
      exceptionType: 'TypeError',
    });
  });

  it('has a range of the steps, and what lies before and after it', async () => {
    const { values } = await runNode('ConditioningTimestepsRange', { start_percent: 0.2, end_percent: 0.6 });
    expect(values).toMatchObject([
      { start: 0.2, end: 0.6 },
      { start: 0, end: 0.2 },
      { start: 0.6, end: 1 },
    ]);
  });
});
