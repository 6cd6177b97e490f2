import { describe, expect, it } from 'vitest';
import { definitions as classes } from '../helpers/node-definitions.js';
import { describeInputs } from '../../../src/workflow/edit/describe-inputs.js';
import { findInput } from '../../../src/workflow/edit/find-input.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

const definitions = {
  ...classes,
  Form: {
    input: {
      required: {
        mode: [['fast', 'slow'], { display_name: 'Speed', tooltip: 'How fast.', advanced: true }],
        seed: ['INT', { default: 0, min: 0, max: 2 ** 64 }],
        strength: ['FLOAT', { min: 0, max: 1, step: 0.05 }],
        note: ['STRING', { placeholder: 'why?', multiline: true }],
        on: ['BOOLEAN', { default: true }],
        colour: ['COLOR', {}],
        sound: [['a.wav'], { audio_upload: true }],
        clip: [['a.mp4'], { video_upload: true }],
        latent: ['LATENT'],
        button: ['IMAGEUPLOAD'],
        forced: ['INT', { forceInput: true }],
        shade: ['INT', { max: 0xffffff, display: 'color' }],
        both: ['INT,FLOAT', { widgetType: 'FLOAT', max: 3 }],
        odd: ['CURVE', {}],
      },
      optional: { more: ['STRING'] },
    },
    input_order: { required: ['seed', 'mode'] },
    output: [],
    display_name: 'A form',
  },
};

const fieldsOf = (workflow: Workflow) =>
  Object.fromEntries(describeInputs(workflow, definitions).map((field) => [field.input, field]));

describe('describeInputs', () => {
  const workflow: Workflow = {
    '1': { class_type: 'Latent', inputs: { width: 64, height: 64 }, _meta: { title: 'Size' } },
    '2': {
      class_type: 'Form',
      inputs: { mode: 'slow', seed: 5, strength: ['1', 0], latent: ['1', 0], forced: ['1', 0] },
    },
  };

  it('describes what a person can set, in the order of nodes and classes', () => {
    expect(describeInputs(workflow, definitions).map(({ name, order }) => [name, order])).toEqual(
      [
        'Size.width',
        'Size.height',
        ...[
          'seed',
          'mode',
          'strength',
          'note',
          'on',
          'colour',
          'sound',
          'clip',
          'shade',
          'both',
          'odd',
          'more',
        ].map((input) => `Form.${input}`),
      ].map((name, order) => [name, order]),
    );
  });

  it.each([
    [
      'seed',
      {
        control: 'integer',
        type: 'INT',
        value: 5,
        default: 0,
        min: 0,
        max: 2 ** 64,
        randomized: true,
        required: true,
      },
    ],
    [
      'mode',
      {
        control: 'choice',
        label: 'Speed',
        tooltip: 'How fast.',
        choices: ['fast', 'slow'],
        value: 'slow',
        advanced: true,
      },
    ],
    ['strength', { control: 'number', step: 0.05, link: { nodeId: '1', slot: 0 } }],
    ['note', { control: 'text', multiline: true, placeholder: 'why?' }],
    ['on', { control: 'switch', default: true }],
    ['colour', { control: 'text', type: 'COLOR', color: true }],
    ['shade', { control: 'integer', type: 'INT', color: true }],
    ['sound', { control: 'file', upload: 'audio', choices: ['a.wav'] }],
    ['clip', { control: 'file', upload: 'video' }],
    ['both', { control: 'number', type: 'FLOAT', max: 3 }],
    ['odd', { control: 'other', type: 'CURVE' }],
    [
      'more',
      { control: 'text', required: false, label: 'more', title: 'A form', class: 'Form', nodeId: '2' },
    ],
  ])('says of %s what a form shows', (input, facts) => {
    expect(fieldsOf(workflow)[input]).toMatchObject(facts);
  });

  it('leaves out what says nothing', () => {
    expect(Object.keys(fieldsOf(workflow)['colour'] ?? {}).toSorted()).toEqual([
      'class',
      'color',
      'control',
      'input',
      'label',
      'name',
      'nodeId',
      'order',
      'required',
      'title',
      'type',
    ]);
    expect(fieldsOf(workflow)['strength']).not.toHaveProperty('value');
  });

  it('describes a socket that has a value', () => {
    const forced: Workflow = { '2': { class_type: 'Form', inputs: { forced: 3 } } };
    expect(fieldsOf(forced)['forced']).toMatchObject({ control: 'integer', value: 3 });
  });

  it('describes classes that the definitions lack by their values', () => {
    const gone: Workflow = {
      '1': { class_type: 'Gone', inputs: { a: 1.5, b: 'x', c: true, d: { __value__: [1] }, e: ['1', 0] } },
    };
    expect(describeInputs(gone, {})).toMatchObject([
      { input: 'a', control: 'number', type: 'unknown', value: 1.5, required: false },
      { input: 'b', control: 'text', value: 'x' },
      { input: 'c', control: 'switch', value: true },
      { input: 'd', control: 'other', value: [1] },
    ]);
  });

  it('describes several choices, and lists that the editor fetches', () => {
    const combos: Workflow = {
      '1': { class_type: 'Combos', inputs: { tags: { __value__: ['a'] }, far: 'x' } },
    };
    expect(fieldsOf(combos)).toMatchObject({
      tags: { control: 'choices', choices: ['a', 'b'], value: ['a'] },
      far: { control: 'choice', value: 'x' },
      pick: { control: 'choice', randomized: true },
    });
    expect(fieldsOf(combos)['far']).not.toHaveProperty('choices');
  });

  it('describes the inputs of the option that a dynamic choice has, by names that find them', () => {
    const dynamic = {
      input: {
        required: {
          mode: [
            'COMFY_DYNAMICCOMBO_V3',
            { options: [{ key: 'seeded', inputs: { required: { seed: ['INT', {}] } } }, { key: 'free' }] },
          ],
        },
      },
      output: [],
    };
    const graph: Workflow = { '1': { class_type: 'Dyn', inputs: { mode: 'seeded', 'mode.seed': 4 } } };
    const fields = describeInputs(graph, { Dyn: dynamic });
    expect(fields).toMatchObject([
      { name: 'Dyn.mode', control: 'choice', choices: ['seeded', 'free'], value: 'seeded' },
      { name: 'Dyn.mode\\.seed', input: 'mode.seed', control: 'integer', value: 4 },
    ]);
    for (const { name, nodeId, input } of fields)
      expect(findInput(graph, name, { Dyn: dynamic })).toEqual({ _tag: 'Right', right: { nodeId, input } });
  });
});
