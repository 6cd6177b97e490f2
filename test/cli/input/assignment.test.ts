import { describe, expect, it } from 'vitest';
import {
  assign,
  parseAssignment,
  parseValue,
  placed,
  refuseLostNumbers,
} from '../../../src/cli/input/assignment.js';
import { lostNumbers } from '../../../src/cli/input/read-json.js';
import { UsageError } from '../../../src/cli/cli-io.js';

describe('parseAssignment', () => {
  it.each([
    ['6.text=sunrise', '6.text', 'sunrise'],
    ['6.text=', '6.text', ''],
    ['6.text=a=b.c=d', '6.text', 'a=b.c=d'],
    ['a\\=b.seed=4', 'a\\=b.seed', '4'],
    ['a\\\\.x=b=4', 'a\\\\.x', 'b=4'],
    ['Main sampler.text=one\ntwo', 'Main sampler.text', 'one\ntwo'],
  ])('reads %s', (text, name, value) => {
    expect(parseAssignment('--set', text)).toEqual({ name, value });
  });

  it.each(['', '6', '6.text', 'text=1', '.text=1', '6.=1', '=1', '.=1'])(
    'refuses %j with an example',
    (text) => {
      expect(() => parseAssignment('--set', text)).toThrow(UsageError);
      expect(() => parseAssignment('--set', text)).toThrow('--set 6.text=sunrise');
    },
  );
});

describe('parseValue', () => {
  it.each([
    ['7', 7],
    ['-0.5', -0.5],
    ['1e3', 1000],
    ['true', true],
    ['null', null],
    ['"7"', '7'],
    ['["4",0]', ['4', 0]],
    ['{"a":[1]}', { a: [1] }],
    ['9007199254740991', 9007199254740991],
    ['"9007199254740993"', '9007199254740993'],
    ['18446744073709551615', 18446744073709551615n],
    ['[1,{"seed":-12345678901234567890}]', [1, { seed: -12345678901234567890n }]],
    ['{"a":"\\"9007199254740993"}', { a: '"9007199254740993' }],
  ])('reads %s as JSON', (text, value) => {
    expect(parseValue(text)).toEqual(value);
  });

  it.each(['a cat', '', '007', 'NaN', "'7'", '{a: 1}', 'True', '1,5', '9007199254740993x'])(
    'takes %j as text',
    (text) => {
      expect(parseValue(text)).toBe(text);
    },
  );

  it.each(['1e999', '[1,{"seed":-1e400}]'])('refuses %s, which would become another number', (text) => {
    expect(() => parseValue(text)).toThrow(UsageError);
    expect(() => parseValue(text)).toThrow("can't be sent exactly");
  });
});

describe('an assignment', () => {
  const workflow = {
    3: { class_type: 'KSampler', inputs: { seed: 1 }, _meta: { title: 'Main' } },
    6: { class_type: 'Text', inputs: { text: 'a' } },
  };

  it('goes into the input that it names, by id or title, and into no other', () => {
    const place = placed(workflow, { name: 'Main.seed', value: '7' });
    expect(place).toMatchObject({ nodeId: '3', input: 'seed', value: '7' });
    expect(assign(workflow, place, 7)).toEqual({
      ...{ 3: { ...workflow[3], inputs: { seed: 7 } }, 6: workflow[6] },
    });
    expect(workflow[3].inputs.seed).toBe(1);
    expect(() => placed(workflow, { name: 'Mian.seed', value: '7' })).toThrow();
    expect(() => assign(workflow, { nodeId: '9', input: 'seed' }, 7)).toThrow();
  });
});

describe('a workflow file with a number that can’t be sent as it stands there', () => {
  const text = '{\n"3": { "inputs": { "seed": 1e999, "cfg": 2e999 } },\n"4": [-1e400] }';
  const refused = (file: string, ...replaced: readonly (readonly [string, string])[]): string | undefined => {
    const places = replaced.map(([nodeId, input]) => ({ nodeId, input }));
    try {
      refuseLostNumbers(file, lostNumbers(text), places);
      return undefined;
    } catch (error) {
      return (error as UsageError).message;
    }
  };

  it('is refused by the first of them, and told how to send it as text', () => {
    expect(refused('a.json')).toBe(
      "a.json, line 2: 3.inputs.seed is 1e999 (and 2 more), which can't be sent exactly: it is larger than any number here. " +
        `Use a smaller one, or send it as text: --set '3.seed="1e999"'`,
    );
  });

  it('is not refused for inputs that --set replaces', () => {
    expect(refused('a.json', ['3', 'seed'])).toContain('line 2: 3.inputs.cfg is 2e999 (and 1 more)');
    expect(refused('a.json', ['4', 'seed'], ['3', 'other'])).toContain('3.inputs.seed is 1e999 (and 2 more)');
    expect(refused('-', ['3', 'seed'], ['3', 'cfg'])).toBe(
      "standard input, line 3: 4.0 is -1e400, which can't be sent exactly: it is larger than any number here. " +
        'Use a smaller one, or send it as text: "-1e400" in place of -1e400',
    );
    expect(() => refuseLostNumbers('a.json', [], [])).not.toThrow();
  });
});
