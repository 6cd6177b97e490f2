import { expect, it } from 'vitest';
import { fieldOf } from '../../../src/workflow/edit/form-field.js';
import { ruleOf } from '../../../src/workflow/edit/field-rule.js';
import { readDefinition } from '../../../src/workflow/definitions.js';
import { schemaOfField } from '../../../src/workflow/edit/field-schema.js';

const workflow = { 1: { class_type: 'A', inputs: {} } };

/** What a form shows for an input of this specification. */
const shown = (spec: readonly unknown[], given?: unknown, group: 'required' | 'optional' = 'required') => {
  const [input] = readDefinition({ A: { input: { [group]: { x: spec } }, output: [] } }, 'A')?.inputs ?? [];
  return fieldOf(workflow, input!, given);
};
const field = (spec: readonly unknown[], given?: unknown) => ({
  ...{ name: 'A.x', nodeId: '1', input: 'x', class: 'A', title: 'A', order: 0 },
  ...shown(spec, given),
});

it.each<readonly [readonly unknown[], unknown, object]>([
  [['INT', {}], 1, { control: 'integer', value: 1 }],
  [['FLOAT', {}], { __value__: 1 }, { control: 'number', value: 1 }],
  [['STRING', {}], ['1', 0], { control: 'text', link: { nodeId: '1', slot: 0 } }],
  [['MARKDOWN', {}], undefined, { control: 'text', type: 'MARKDOWN' }],
  [['TEXTAREA', {}], undefined, { control: 'text', type: 'TEXTAREA' }],
  [['COLOR', {}], undefined, { control: 'text', color: true }],
  [['BOOLEAN', {}], undefined, { control: 'switch' }],
  [['COMBO', { options: ['a'] }], undefined, { control: 'choice', choices: ['a'] }],
  [['COMBO', { options: ['a'], multiselect: true }], undefined, { control: 'choices' }],
  [['*', {}], 1.5, { control: 'number' }],
  [['*', {}], 1n, { control: 'integer' }],
  [['*', {}], 'a', { control: 'text' }],
  [['*', {}], false, { control: 'switch' }],
  [['*', {}], null, { control: 'other' }],
  [['LATENT'], undefined, { control: 'other', type: 'LATENT' }],
  [[['a.png'], { image_upload: true }], undefined, { control: 'file', upload: 'image' }],
  [[['a.webp'], { animated_image_upload: true }], undefined, { control: 'file', upload: 'image' }],
  [[['a.wav'], { audio_upload: true }], undefined, { control: 'file', upload: 'audio' }],
  [[['a.mp4'], { video_upload: true }], undefined, { control: 'file', upload: 'video' }],
  [[['a.glb'], { file_upload: true }], undefined, { control: 'file', upload: 'file' }],
  [[['a.glb'], { file_upload: 'yes' }], undefined, { control: 'choice' }],
])('an input of %o with %o is shown so', (spec, given, facts) => {
  expect(shown(spec, given)).toMatchObject(facts);
});

it('what an input says of itself is shown, and nothing that is of another type', () => {
  const own = {
    min: 1n,
    max: 9,
    step: 0.5,
    multiline: true,
    advanced: true,
    placeholder: 'why?',
    tooltip: 'so',
  };
  const whole = { ...own, display_name: 'X', default: 2, control_after_generate: true, display: 'color' };
  expect(shown(['INT', whole])).toEqual({
    ...{ ...own, min: 1, label: 'X', control: 'integer', type: 'INT', required: true },
    ...{ default: 2, randomized: true, color: true },
  });
  const other = {
    min: '1',
    max: NaN,
    step: Infinity,
    multiline: 1,
    advanced: 'x',
    placeholder: '',
    tooltip: 5,
  };
  expect(shown(['FLOAT', { ...other, display_name: '', display: 'color' }], undefined, 'optional')).toEqual({
    ...{ label: 'x', control: 'number', type: 'FLOAT', required: false },
  });
});

it.each<readonly [readonly unknown[], unknown, object]>([
  [['*', {}], 1, { kind: 'any' }],
  [['INT', { min: 0, max: 2 ** 64 }], 1, { kind: 'integer', min: 0, max: 2n ** 64n - 1n }],
  [['INT', { min: -(2 ** 64) }], 1, { kind: 'integer', min: 1n - 2n ** 64n }],
  [['FLOAT', { min: 0.5 }], 1, { kind: 'number', min: 0.5 }],
  [['STRING', {}], 1, { kind: 'text' }],
  [['BOOLEAN', {}], 1, { kind: 'switch' }],
  [[['a'], { image_upload: true }], 1, { kind: 'file' }],
  [[['a', 'a', 1, null, true, {}, NaN], {}], 1, { kind: 'choice', choices: ['a', 1, null, true] }],
  [['COMBO', { options: ['a'], multiselect: true }], 1, { kind: 'choices', choices: ['a'] }],
  [['COMBO', { remote: { route: '/x' } }], 'a', { kind: 'text' }],
  [['COMBO', { remote: { route: '/x' } }], 1, { kind: 'any' }],
  [['COMBO', { remote: { route: '/x' }, multiselect: true }], 'a', { kind: 'any' }],
  [['LATENT'], 1, { kind: 'any' }],
])('an input of %o with %o takes values by the rule %o', (spec, given, rule) => {
  expect(ruleOf(field(spec, given))).toEqual(rule);
});

it('an input whose bounds the server alone can judge takes any value of its type', () => {
  const byServer = { serverOnly: true } as const;
  expect(ruleOf({ ...field(['INT', { min: 1, max: 2 }]), ...byServer })).toEqual({ kind: 'integer' });
  expect(ruleOf({ ...field([['a', 'b'], {}]), ...byServer })).toEqual({ kind: 'text' });
  expect(ruleOf({ ...field([['a', 1], {}]), ...byServer })).toEqual({ kind: 'any' });
});

it.each<readonly [readonly unknown[], unknown, object]>([
  [
    ['INT', { min: 0, max: 2 ** 64 }],
    5,
    { type: 'integer', minimum: 0, maximum: 2 ** 64 - 2048, default: 5 },
  ],
  [
    ['INT', { min: -(2 ** 64), default: 7 }],
    undefined,
    { type: 'integer', minimum: 2048 - 2 ** 64, default: 7 },
  ],
  [['INT', {}], 2n ** 60n, { type: 'integer' }],
  [
    ['FLOAT', { max: 0.5, tooltip: 'How much.' }],
    ['1', 0],
    { type: 'number', maximum: 0.5, description: 'How much.' },
  ],
  [['BOOLEAN', {}], false, { type: 'boolean', default: false }],
  [[['a', 1], {}], 'a', { enum: ['a', 1], default: 'a' }],
  [[[], {}], undefined, { not: {} }],
  [['COMBO', { options: ['a'], multiselect: true }], undefined, { type: 'array', items: { enum: ['a'] } }],
  [['*', {}], undefined, {}],
])('the JSON Schema of an input of %o with %o is %o', (spec, given, schema) => {
  const one = field(spec, given);
  expect(schemaOfField(one, ruleOf(one))).toEqual({ title: 'A: x', ...schema });
});

const asset = {
  type: 'object',
  properties: {
    __type: { const: 'core/ASSET' },
    info: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  },
  required: ['__type', 'info'],
};

it('the JSON Schema of a file has examples, and one title where node and input are called the same', () => {
  const file = field([['a.png'], { image_upload: true, display_name: 'A' }]);
  expect(schemaOfField(file, ruleOf(file))).toEqual({
    ...{ title: 'A', examples: ['a.png'], anyOf: [{ type: 'string' }, asset] },
  });
});
