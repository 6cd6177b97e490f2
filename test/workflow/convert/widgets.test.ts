import { describe, expect, it } from 'vitest';
import { convert, inputsOf, inputsOfNode } from '../helpers/converted.js';
import { definitions } from '../helpers/node-definitions.js';
import { uiFile } from '../helpers/ui-file.js';

describe('widget values', () => {
  it.each([
    [
      'the control word of a seed is skipped',
      'Sampler',
      [7, 'randomize', 30, 5.5, 'heun'],
      { seed: 7, steps: 30, cfg: 5.5, sampler_name: 'heun' },
    ],
    [
      'in files of 2023 it is a boolean',
      'Sampler',
      [7, true, 30, 5.5, 'heun'],
      { seed: 7, steps: 30, cfg: 5.5, sampler_name: 'heun' },
    ],
    [
      'samplers of early 2023 lose their prefix',
      'Sampler',
      [7, 'fixed', 30, 5.5, 'sample_euler'],
      { seed: 7, steps: 30, cfg: 5.5, sampler_name: 'euler' },
    ],
    [
      'a name or an option asks for control, false refuses it',
      'Seeds',
      [11, 'fixed', 12, 13, 'fixed', 0.7, 'fixed', 'end'],
      { noise_seed: 11, seed: 12, other: 13, rate: 0.7, last: 'end' },
    ],
    [
      'a combo has two entries of control, a fetched list its switch and button',
      'Combos',
      ['two', 'randomize', 'filter', 'v', false, 'refresh', 'w', true, ['b'], 'e', 4],
      { pick: 'two', far: 'v', near: 'w', tags: { __value__: ['b'] }, empty: 'e', tail: 4 },
    ],
    [
      'the upload button stands at the end',
      'LoadImage',
      ['b.png', 'blue', 'image'],
      { image: 'b.png', channel: 'blue' },
    ],
    ['players of sound are not sent', 'Audio', ['t.flac', null, ''], { audio: 't.flac' }],
    ['input_order holds over the order of JavaScript', 'Numbered', [1, 2, 3], { '10': 1, b: 2, '1': 3 }],
    ['widgetType makes a widget', 'Mixed', [2.5], { w: 2.5 }],
    ['forceInput has no entry in new files', 'Force', [8, 'dd'], { b: 8, d: 'dd' }],
    [
      'forceInput and defaultInput had one in old files',
      'Force',
      [0, 8, '', 'dd', 'p', 4],
      { b: 8, d: 'dd' },
    ],
    ['missing entries are defaults', 'Sampler', [7], { seed: 7, steps: 20, cfg: 8, sampler_name: 'euler' }],
    ['no entries are all defaults', 'Combos', undefined, { pick: 'one', tags: { __value__: [] }, tail: 9 }],
    ['defaults without a default', 'Text', [], { text: 'hi', flag: false }],
    [
      'null is sent, of a combo it is the default',
      'Sampler',
      [null, 'fixed', null, null, null],
      { seed: null, steps: null, cfg: null, sampler_name: 'euler' },
    ],
    [
      'the null of an empty list stays',
      'Combos',
      ['one', 'fixed', '', null, false, '', null, true, null, null, null],
      { pick: 'one', far: null, near: null, tags: { __value__: [] }, empty: null, tail: null },
    ],
    [
      'an object is read by name',
      'Sampler',
      { steps: 3, seed: 4, videopreview: {} },
      { seed: 4, steps: 3, cfg: 8, sampler_name: 'euler' },
    ],
    [
      'values pass unchanged',
      'Sampler',
      ['77', 'fixed', 300.7, 'false', 9],
      { seed: '77', steps: 300.7, cfg: 'false', sampler_name: 9 },
    ],
    [
      'lists are wrapped, so that none is read as a link',
      'Text',
      [['a', 1], true, [[0, 0]]],
      { text: { __value__: ['a', 1] }, flag: true, curve: { __type__: 'CURVE', __value__: [[0, 0]] } },
    ],
    ['an empty list is wrapped, too', 'Text', [[]], { text: { __value__: [] }, flag: false }],
  ])('%s', (_, type, values, inputs) => {
    expect(inputsOfNode(type, values)).toEqual(inputs);
  });

  it('warns where a seed lacks its control word, and reads by position as the editor does', () => {
    const { workflow, problems } = convert(
      uiFile([{ id: 1, type: 'Sampler', values: [7, 30, 5.5, 'heun'] }]),
    );
    expect(workflow?.['1']?.inputs).toMatchObject({ seed: 7, steps: 5.5, cfg: 'heun' });
    expect(problems).toMatchObject([
      { nodeId: '1', input: 'seed', type: 'missing_control', severity: 'warning' },
    ]);
  });

  it('warns of values that no widget takes', () => {
    const { problems } = convert(
      uiFile([{ id: 1, type: 'Int', values: [1, 'fixed', 'more', { of: 'them' }] }]),
    );
    expect(problems).toMatchObject([{ nodeId: '1', type: 'unused_values', severity: 'warning' }]);
  });

  it('sends the value of a widget that was turned into an input and is unlinked, and its link where it is linked', () => {
    const file = (links: object) =>
      uiFile([
        { id: 1, type: 'Int', values: [5] },
        { id: 2, type: 'Latent', values: [640, 480], links: links as never },
      ]);
    expect(inputsOf(file({}))['2']).toEqual({ width: 640, height: 480 });
    expect(inputsOf(file({ width: [1, 0] }))['2']).toEqual({ width: ['1', 0], height: 480 });
  });

  it('reads the values of the chosen option of a dynamic combo, nested ones as well', () => {
    expect(inputsOfNode('Dynamic', ['seeded', 4321, 'randomize', 'x', 8, 'AFTER'])).toEqual({
      mode: 'seeded',
      'mode.seed': 4321,
      'mode.deeper': 'x',
      'mode.deeper.y': 8,
      after: 'AFTER',
    });
    expect(inputsOfNode('Dynamic', ['none', 'AFTER'])).toEqual({ mode: 'none', after: 'AFTER' });
    expect(inputsOfNode('Dynamic', undefined)).toEqual({ mode: 'none', after: 'tail' });
  });

  it('takes links of dynamic inputs by the names in the file, and keeps gaps', () => {
    const file = uiFile([
      { id: 1, type: 'LoadImage', values: ['a.png', 'red', 'image'] },
      { id: 2, type: 'LoadImage', values: ['a.png', 'red', 'image'], mode: 2 },
      {
        id: 3,
        type: 'Grow',
        values: [0.25],
        links: { 'images.image0': [1, 0], 'images.image1': [2, 0], 'images.image2': [1, 0] },
      },
      { id: 4, type: 'Dynamic', values: ['seeded', 1, 'fixed', 'x', 2, 'a'], links: { 'mode.mask': [1, 1] } },
    ]);
    const inputs = inputsOf(file);
    expect(inputs['3']).toEqual({ 'images.image0': ['1', 0], 'images.image2': ['1', 0], blend: 0.25 });
    expect(inputs['4']).toMatchObject({ 'mode.mask': ['1', 1], after: 'a' });
  });

  it('takes the title of the file, of the definition, or the class', () => {
    const { workflow } = convert(
      uiFile([
        { id: 1, type: 'Checkpoint', values: ['a'], title: 'Mine' },
        { id: 2, type: 'Checkpoint', values: ['a'] },
        { id: 3, type: 'Latent', values: [1, 2] },
      ]),
    );
    expect(Object.values(workflow ?? {}).map(({ _meta }) => _meta?.title)).toEqual([
      'Mine',
      'Load Checkpoint',
      'Latent',
    ]);
  });

  it('are read by name where the definition says so, and by position otherwise', () => {
    const named = (fallbackWidgetsValuesNames: unknown) => ({
      Named: { ...definitions.Text, fallbackWidgetsValuesNames },
    });
    const inputs = (known: object, node: object) =>
      convert({ nodes: [{ id: 1, type: 'Named', ...node }] }, {}, known as never).workflow?.['1']?.inputs;
    const both = { widgets_values: ['position', true], widgets_values_named: { flag: false, text: 'name' } };
    expect(inputs(named(true), both)).toEqual({ text: 'name', flag: false });
    expect(inputs(named(undefined), both)).toEqual({ text: 'position', flag: true });
    expect(inputs(named(false), both)).toEqual({ text: 'position', flag: true });
    expect(inputs(named(true), { widgets_values: ['position', true] })).toEqual({
      text: 'position',
      flag: true,
    });
    expect(inputs(named(['flag', 'text']), { widgets_values: [true, 'second'] })).toEqual({
      text: 'second',
      flag: true,
    });
  });
});
