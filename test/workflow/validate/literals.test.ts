import { describe, expect, it } from 'vitest';
import { blocksSubmission } from '../../../src/workflow/validate/blocks-submission.js';
import { definitions } from './definitions.js';
import { objectOf } from '../../../src/workflow/values.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';

const sink = (input: string, value: unknown, rules?: '0.3.64' | '2026') =>
  validateWorkflow({ '1': { class_type: 'Sink', inputs: { [input]: value } } }, definitions, { rules }).map(
    ({ type, severity, fix }) => [type, severity, ...(fix === undefined ? [] : [fix])],
  );

describe('a literal that the engine refuses', () => {
  it.each([
    ['int', 'abc', 'invalid_input_type'],
    ['int', null, 'invalid_input_type'],
    ['int', {}, 'invalid_input_type'],
    ['int', NaN, 'invalid_input_type'],
    ['int', { __value__: [1] }, 'invalid_input_type'],
    ['float', '0x1p3', 'invalid_input_type'],
    ['float', null, 'invalid_input_type'],
    ['choice', 'É ', 'value_not_in_list', 'É'],
    ['choice', 'A', 'value_not_in_list', 'a'],
    ['choice', '2.5', 'value_not_in_list', 2.5],
    ['choice', 'zzz', 'value_not_in_list'],
    ['choice', 2, 'value_not_in_list'],
    ['choice', null, 'value_not_in_list'],
    ['choice', {}, 'value_not_in_list'],
    ['choice', NaN, 'value_not_in_list'],
    ['empty', 'a', 'value_not_in_list'],
    ['int', '12.0', 'invalid_input_type', 12],
    ['float', '1,5', 'invalid_input_type', 1.5],
    ['float', ' -12,75 ', 'invalid_input_type', -12.75],
    ['float', 'x1,5', 'invalid_input_type'],
    ['float', '1,5x', 'invalid_input_type'],
    ['float', 'xinf', 'invalid_input_type'],
    ['float', { __value__: [1, 5] }, 'invalid_input_type'],
    ['int', -6, 'value_smaller_than_min', -5],
    ['int', 6, 'value_bigger_than_max', 5],
    ['int', '6', 'value_bigger_than_max', 5],
    ['float', -1.51, 'value_smaller_than_min', -1.5],
    ['float', Infinity, 'value_bigger_than_max', 1.5],
    ['union', -1, 'value_smaller_than_min', 0],
    ['flag', false, 'value_smaller_than_min', true],
    ['union', '5', 'exception_during_validation'],
    ['union', null, 'exception_during_validation'],
    ['text', 'any', 'exception_during_validation'],
    ['loose', 'any', 'exception_during_validation'],
    ['loose', {}, 'exception_during_validation'],
  ])('%s: %j', (input, value, type, fix?: unknown) => {
    expect(sink(input, value)).toEqual([fix === undefined ? [type, 'error'] : [type, 'error', fix]]);
  });
});

describe('M9: a class of another package may check lists and bounds itself', () => {
  const sinkOf = (python_module: unknown) => ({
    ...definitions,
    Sink: { ...objectOf(definitions['Sink']), python_module },
  });
  const problemsOf = (module: unknown, input: string, value: unknown) =>
    validateWorkflow({ '1': { class_type: 'Sink', inputs: { [input]: value } } }, sinkOf(module));

  it.each([
    ['choice', 'zzz', 'value_not_in_list', undefined],
    ['choice', 'A', 'value_not_in_list', 'a'],
    ['int', -6, 'value_smaller_than_min', -5],
    ['float', Infinity, 'value_bigger_than_max', 1.5],
    ['union', '5', 'exception_during_validation', undefined],
  ])(
    '%s: %j is a warning that only the server can tell, and has no fix',
    (input, value, type, suggestion) => {
      const problems = problemsOf('custom_nodes.a-pack', input, value);
      expect(problems).toMatchObject([{ type, severity: 'warning', serverOnly: true }]);
      expect(problems[0]?.suggestion).toBe(suggestion);
      expect(problems.some((problem) => 'fix' in problem || blocksSubmission(problem))).toBe(false);
    },
  );

  it.each([
    ['int', 'abc', 'invalid_input_type'],
    ['float', null, 'invalid_input_type'],
  ])('%s: %j is refused all the same: the engine converts before the class checks', (input, value, type) => {
    expect(problemsOf('custom_nodes.a-pack', input, value)).toMatchObject([{ type, severity: 'error' }]);
  });

  it.each(['nodes', 'comfy_extras.nodes_mask', 'comfy_api_nodes.nodes_x', undefined, 7])(
    'is not assumed of a class of %j',
    (module) => {
      expect(problemsOf(module, 'int', -6)).toMatchObject([{ severity: 'error', fix: -5 }]);
    },
  );

  it('hides no error of another input', () => {
    const inputs = { union: '5', int: 'abc' };
    expect(
      validateWorkflow({ '1': { class_type: 'Sink', inputs } }, sinkOf('custom_nodes.a-pack')),
    ).toMatchObject([
      { input: 'int', severity: 'error' },
      { input: 'union', severity: 'warning' },
    ]);
  });
});

describe('a literal that passes as it is', () => {
  it.each([
    ['int', 5],
    ['int', -5],
    ['int', -0],
    ['int', { __value__: 3 }],
    ['float', 1.5],
    ['float', NaN],
    ['float', 0.123456],
    ['string', ''],
    ['boolean', false],
    ['choice', 'É'],
    ['choice', 1],
    ['choice', true],
    ['choice', 2.5],
    ['fresh', 'x'],
    ['tags', { __value__: ['r', 'g'] }],
    ['far', 'anything'],
    ['union', 1.5],
    ['star', { any: 1 }],
    ['image', null],
    ['flag', true],
  ])('%s: %j', (input, value) => {
    expect(sink(input, value)).toEqual([]);
  });
});

describe('a literal that the engine changes or lets pass', () => {
  it.each([
    ['int', 1.5, 'value_rounded', 1],
    ['int', 5.9, 'value_rounded', 5],
    ['int', -0.5, 'value_rounded', 0],
    ['int', '3', 'value_coerced', 3],
    ['int', true, 'value_coerced', 1],
    ['free', 2 ** 60, 'value_inexact'],
    ['float', '1', 'value_coerced', 1],
    ['float', 'nan', 'value_coerced'],
    ['float', true, 'value_coerced', 1],
    ['float', '.55', 'value_coerced', 0.55],
    ['free', '1_0_0', 'value_coerced', 100],
    ['free', '36893488147419103232', 'value_coerced'],
    ['string', false, 'value_coerced', 'False'],
    ['boolean', ' FALSE ', 'value_coerced', false],
    ['boolean', 'a no', 'value_coerced', true],
    ['boolean', 'nobody', 'value_coerced', true],
    ['boolean', { __value__: ['no'] }, 'value_coerced', true],
    ['string', 5, 'value_coerced', '5'],
    ['string', true, 'value_coerced', 'True'],
    ['string', null, 'value_coerced'],
    ['string', { a: [1] }, 'value_coerced'],
    ['boolean', 'false', 'value_coerced', false],
    ['boolean', 'yes', 'value_coerced', true],
    ['boolean', 0, 'value_coerced', false],
    ['image', 'foo', 'literal_for_link'],
    ['fresh', 'z', 'value_not_in_list'],
    ['fresh', 'X', 'value_not_in_list', 'x'],
    ['fresh', null, 'value_not_in_list'],
    ['tags', { __value__: ['r', 'violet'] }, 'value_not_in_list'],
    ['tags', { __value__: ['R', 'violet'] }, 'value_not_in_list'],
    ['tags', { __value__: ['r', 'G'] }, 'value_not_in_list', { __value__: ['r', 'g'] }],
  ])('%s: %j', (input, value, type, fix?: unknown) => {
    expect(sink(input, value)).toEqual([fix === undefined ? [type, 'warning'] : [type, 'warning', fix]]);
  });

  it('is an error under the rules of 2026 where it is none of a newer list', () => {
    expect(sink('fresh', 'z', '2026')).toEqual([['value_not_in_list', 'error']]);
    expect(sink('tags', { __value__: ['r', 'violet'] }, '2026')).toEqual([['value_not_in_list', 'error']]);
    expect(sink('tags', { __value__: ['r', 'b'] }, '2026')).toEqual([]);
    expect(sink('far', 'anything', '2026')).toEqual([]);
  });
});

describe('bounds beyond exact numbers', () => {
  const seed = (value: unknown) =>
    validateWorkflow(
      { s: { class_type: 'Out', inputs: { seed: value } } },
      {
        Out: {
          input: { required: { seed: ['INT', { min: -(2 ** 64), max: 2 ** 64 }] } },
          output: [],
          output_node: true,
        },
      },
    ).map(({ type }) => type);

  it('take the largest seed, exact or rounded', () => {
    expect(seed(2n ** 64n - 1n)).toEqual([]);
    expect(seed('18446744073709551615')).toEqual(['value_coerced']);
    expect(seed(2 ** 64)).toEqual(['value_inexact']);
  });

  it('are none where the class has none', () => {
    expect(sink('free', 2n ** 64n)).toEqual([]);
  });

  it('refuse the integers after it', () => {
    expect(seed(2n ** 64n)).toEqual(['value_bigger_than_max']);
    expect(seed('18446744073709551616')).toEqual(['value_bigger_than_max']);
    expect(seed(2 ** 65)).toEqual(['value_bigger_than_max']);
    expect(seed(-(2n ** 64n))).toEqual(['value_smaller_than_min']);
  });
});

describe('the file of a class that looks for it itself', () => {
  const load = (inputs: object) =>
    validateWorkflow(
      { '1': { class_type: 'LoadImage', inputs }, '2': { class_type: 'Save', inputs: { images: ['1', 0] } } },
      definitions,
    )
      .filter(({ type }) => type !== 'output_dropped')
      .map(({ nodeId, type, severity, fix, serverOnly }) => [nodeId, type, severity, fix, serverOnly]);

  it.each(['a.png', 'b.png [input]', 'made.png [output]', 'made.png [temp]'])('passes as %j', (image) => {
    expect(load({ image })).toEqual([]);
  });

  it.each([
    ['gone.png', undefined],
    ['sub/inner.png', undefined],
    ['A.PNG', 'a.png'],
  ])('is for the server to find as %j', (image, fix) => {
    expect(load({ image })).toEqual([['1', 'file_not_in_list', 'warning', fix, true]]);
  });

  it.each([[{ image: 5 }], [{ image: null }], [{ image: ['1', 0] }], [{}]])(
    'breaks the check as %j',
    (inputs) => {
      expect(load(inputs).map(([nodeId, type]) => [nodeId, type])).toContainEqual([
        '1',
        'exception_during_inner_validation',
      ]);
    },
  );

  it('may be new on the server where it is one of a list of files', () => {
    const [problem] = validateWorkflow(
      {
        '1': { class_type: 'Loader', inputs: { ckpt_name: 'base-xl.safetensors' } },
        '2': { class_type: 'Sink', inputs: { star: ['1', 0] } },
      },
      definitions,
    );
    expect(problem).toMatchObject({
      type: 'value_not_in_list',
      severity: 'error',
      suggestion: 'sdxl/Base-XL.safetensors',
      serverOnly: true,
    });
  });

  it('is certain where the list is none of files', () => {
    const [problem] = validateWorkflow(
      { '1': { class_type: 'Sink', inputs: { choice: 'zzz' } } },
      definitions,
    );
    expect(problem).not.toHaveProperty('serverOnly');
  });
});

describe('the sentence about a value that is not in its list', () => {
  const sentence = (choices: readonly unknown[], value: unknown) =>
    validateWorkflow(
      { '1': { class_type: 'Out', inputs: { a: value } } },
      { Out: { input: { required: { a: [choices] } }, output: [], output_node: true } },
    ).map(({ message, fix }) => [message, fix]);

  it('has the values of a short list, and the length of a long one', () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    expect(sentence(letters, 'zzz')).toEqual([
      ['Node 1 (Out): a is "zzz", which is not one of ["a", "b", "c", "d", "e", "f", "g", "h"].', undefined],
    ]);
    expect(sentence([...letters, 'i'], 'zzz')).toEqual([
      ['Node 1 (Out): a is "zzz", which is not one of the 9 values of its list.', undefined],
    ]);
  });

  it('names the text that a number stands for, and the number of a text', () => {
    expect(sentence(['5', '6'], 5)).toEqual([
      ['Node 1 (Out): a is 5, which is not one of ["5", "6"]; "5" was meant.', '5'],
    ]);
    expect(sentence([0, 1], ' 1 ')).toEqual([
      ['Node 1 (Out): a is " 1 ", which is not one of [0, 1]; 1 was meant.', 1],
    ]);
    expect(sentence([0, 1], ' ')).toEqual([
      ['Node 1 (Out): a is " ", which is not one of [0, 1].', undefined],
    ]);
  });
});

describe('the sentence about a value', () => {
  const sentence = (value: unknown) =>
    validateWorkflow({ '1': { class_type: 'Sink', inputs: { int: value } } }, definitions)[0];

  it('shows short texts whole, and what the engine makes of them', () => {
    const [whole, more] = ['x'.repeat(160), `${'x'.repeat(100)} ${'y'.repeat(60)}`];
    expect(sentence('3')?.message).toBe('Node 1 (Sink): int is "3", which the engine reads as 3.');
    expect(sentence(whole)?.message).toBe(
      `Node 1 (Sink): int is "${whole}", which the engine can't read as INT.`,
    );
    expect(sentence(more)?.message).toBe(
      `Node 1 (Sink): int is "${'x'.repeat(100)} …", which the engine can't read as INT.`,
    );
    expect(sentence({ __value__: [1] })?.message).toContain(' is a list,');
    expect(sentence(null)?.message).toContain(' is null,');
    expect(sentence(null)).not.toHaveProperty('fix');
  });
});

describe('the choices of an input', () => {
  const judged = (spec: readonly unknown[], value: unknown, className = 'Out', input = 'a') =>
    validateWorkflow(
      { '1': { class_type: className, inputs: { [input]: value } } },
      { [className]: { input: { required: { [input]: spec } }, output: [], output_node: true } },
    )[0];
  const files = Array.from({ length: 100 }, (_, at) => `file${at}.png`);

  it.each([
    ['files', files, true],
    ['a hundred files, and then others', [...files, 'none'], true],
    ['files after something else', ['none', ...files], undefined],
    ['none', [], undefined],
    ['texts with a point', ['v1.beta two', 'v2.beta two'], undefined],
    ['texts', ['red', 'green'], undefined],
    ['numbers', [1.5, 2.5], undefined],
  ])('are for the server to tell where they are %s', (_, choices, serverOnly) => {
    expect(judged([choices], 'zzzzzz')?.serverOnly).toBe(serverOnly);
  });

  it('may be several at once where the newer form says so', () => {
    const [one, several] = [{ options: ['a', 'b'] }, { options: ['a', 'b'], multi_select: {} }];
    expect(judged(['COMBO', several], { __value__: ['a', 'b'] })).toBeUndefined();
    expect(judged(['COMBO', one], { __value__: ['a', 'b'] })?.type).toBe('value_not_in_list');
    expect(judged(['COMBO', { ...one, multi_select: false }], { __value__: ['a', 'b'] })?.type).toBe(
      'value_not_in_list',
    );
  });

  it('do not hold NaN, as nothing equals it, and hold integers in both forms', () => {
    expect(judged([[NaN]], NaN)?.type).toBe('value_not_in_list');
    expect(judged([[5]], 5n)).toBeUndefined();
  });

  it.each([
    ['LoadImage', 'image'],
    ['LoadImageMask', 'image'],
    ['LoadImageOutput', 'image'],
    ['LoadLatent', 'latent'],
    ['LoadAudio', 'audio'],
    ['LoadVideo', 'file'],
  ])('are files of the server in %s', (className, input) => {
    expect(judged([['a.png']], 'gone.png', className, input)?.type).toBe('file_not_in_list');
    expect(judged([['a.png']], 'gone.png', className, 'other')?.type).toBe('value_not_in_list');
  });

  it.each(['a [temp] b.png', 'a.png [input] b'])('are not of another folder as %j', (path) => {
    expect(judged([['a.png', 'a.png b']], path, 'LoadImage', 'image')?.type).toBe('file_not_in_list');
  });

  it('have the default for what is no number, where that is one', () => {
    expect(judged(['INT', { default: 7 }], 'abc')?.fix).toBe(7);
    expect(judged(['INT', { default: 'x' }], 'abc')).not.toHaveProperty('fix');
  });

  it('are the outputs of nodes for types that only these give', () => {
    expect(judged(['CLIP_VISION'], 'x')?.type).toBe('literal_for_link');
    expect(judged(['VIDEO_SETTINGS'], 'x')).toBeUndefined();
  });
});

describe('a definition that makes little sense', () => {
  const judged = (spec: readonly unknown[], value: unknown, className = 'Out', input = 'a') =>
    validateWorkflow(
      { '1': { class_type: className, inputs: { [input]: value } } },
      { [className]: { input: { required: { [input]: spec } }, output: [], output_node: true } },
    ).map(({ type, fix }) => [type, fix]);

  it.each([
    ['a text as a bound', ['STRING', { min: 'b' }], 'a', ['value_smaller_than_min', undefined]],
    ['bounds that nothing meets', ['INT', { min: 10, max: 5 }], 20, ['value_bigger_than_max', undefined]],
    ['a fraction as a bound', ['INT', { max: 1.5 }], 2n ** 64n, ['value_bigger_than_max', 1.5]],
    [
      'a bound of 64 bits as text',
      ['INT', { max: '18446744073709551616' }],
      2n ** 54n,
      ['exception_during_validation', undefined],
    ],
  ])('with %s is judged as the engine does', (_, spec, value, expected) => {
    expect(judged(spec, value)).toEqual([expected]);
  });

  it('lets a class look for a file itself where it lists none', () => {
    expect(judged(['COMBO', { remote: {} }], 'any.png', 'LoadImage', 'image')).toEqual([]);
  });

  it('does not make an object a wrapped value', () => {
    const [problem] = validateWorkflow(
      { '1': { class_type: 'Sink', inputs: { int: { a: 1 } } } },
      definitions,
    );
    expect(problem?.message).toContain('an object');
  });
});
