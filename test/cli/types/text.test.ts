import {
  comment,
  commentLines,
  identifierPart,
  isIdentifier,
  memberName,
  quoted,
} from '../../../src/cli/types/text.js';
import { expect, it } from 'vitest';
import type { InputDefinition } from '../../../src/workflow.js';
import { inputNotes } from '../../../src/cli/types/input-notes.js';
import { isAny, outputType, socket } from '../../../src/cli/types/input-type.js';
import { outputName } from '../../../src/cli/types/output-name.js';
import { uniqueNames } from '../../../src/cli/types/unique-names.js';

it('a text is a literal, and a name a member', () => {
  expect(quoted('a"\u2028\u202E')).toBe('"a\\"\\u2028\\u202e"');
  expect(['a', '_a$1', '1a', 'a b', ''].map(isIdentifier)).toEqual([true, true, false, false, false]);
  expect(['a', 'new', '__proto__', 'a b'].map(memberName)).toEqual(['a', '"new"', '"__proto__"', '"a b"']);
});

it('a part of an identifier has letters and digits alone', () => {
  expect(['a b', ' a--b ', 'Привет', '…', 'é_x_', '$a'].map(identifierPart)).toEqual([
    ...['a_b', 'a_b', 'Привет', '', 'é_x', '$a'],
  ]);
  expect(identifierPart('x'.repeat(99))).toHaveLength(80);
});

it('text of the service ends no comment and begins no tag', () => {
  expect(commentLines('a */ b\r\n\n  @see c\u2028d\u202E e ')).toEqual([
    'a *\u200b/ b',
    '&#64;see c',
    'd  e',
  ]);
  expect(commentLines(' \n ')).toEqual([]);
  expect(commentLines('x'.repeat(1_000))).toEqual(['x'.repeat(1_000)]);
  expect(commentLines('x'.repeat(1_001))).toEqual([`${'x'.repeat(1_000)}…`]);
  expect(comment([], '  ')).toBe('');
  expect(comment(['a'], '  ')).toBe('  /** a */\n');
  expect(comment(['a', 'b'], '  ')).toBe('  /**\n   * a\n   * b\n   */\n');
});

it('a wish that is taken gets the next number', () => {
  const nameFor = uniqueNames(['a', 'b2']);
  expect(['a', 'b', 'b', 'a', 'c', 'a2', 'b'].map(nameFor)).toEqual([
    'a2',
    'b',
    'b3',
    'a3',
    'c',
    'a22',
    'b4',
  ]);
});

it('an output is named by what the class calls it, else by its type, and by its slot', () => {
  const definition = { output_name: ['The image', '', '3D'], output: ['IMAGE', 'MASK', 'X', ['a'], '…'] };
  expect([0, 1, 2, 3, 4, 5].map((slot) => outputName(definition, slot))).toEqual([
    ...['The_image_0', 'MASK_1', '_3D_2', 'output_3', 'output_4', 'output_5'],
  ]);
  expect(outputName({}, 0)).toBe('output_0');
});

it('what an editor shows of an input is told in a sentence', () => {
  const notes = (options: object) => inputNotes({ name: 'x', options } as unknown as InputDefinition);
  expect(notes({})).toEqual([]);
  expect(notes({ tooltip: 'How much.', default: 0, min: 0, max: 9n, step: 1 })).toEqual([
    'How much.',
    'Default 0, from 0 to 9, in steps of 1.',
  ]);
  expect(notes({ min: 1 })).toEqual(['At least 1.']);
  expect(notes({ max: 1 })).toEqual(['At most 1.']);
  expect([notes({ default: 'a' }), notes({ default: false }), notes({ default: 5n })]).toEqual([
    ['Default "a".'],
    ['Default false.'],
    ['Default 5.'],
  ]);
  expect([notes({ default: 'x'.repeat(80) }).length, notes({ default: 'x'.repeat(81) })]).toEqual([1, []]);
  expect(notes({ default: '', min: '1', max: null, step: {}, tooltip: 5 })).toEqual([]);
  expect(notes({ default: [] })).toEqual([]);
});

it('an output has the type of its definition, of each of several, or any', () => {
  expect([outputType('IMAGE', false), outputType('IMAGE', true)]).toEqual([
    'Output<"IMAGE">',
    'ListOutput<"IMAGE">',
  ]);
  expect(outputType('INT, FLOAT,INT', false)).toBe('Output<"INT"> & Output<"FLOAT">');
  for (const any of ['*', 'INT,*', '', 'COMFY_MATCHTYPE_V3', 5, null])
    expect([any, outputType(any, false)]).toEqual([any, 'Output<never>']);
  expect(['COMFY_x', 'MY_COMFY_A_V3', 'IMAGE'].map(isAny)).toEqual([false, false, false]);
  expect([socket('a"b', 'INT,FLOAT'), socket('x', '*')]).toEqual([
    'Input<"a\\"b", "INT" | "FLOAT">',
    'Input<"x", string>',
  ]);
});
