import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { expandPrompt } from '../../../src/workflow/convert/dynamic-prompt.js';
import { inputsOf, inputsOfNode } from '../helpers/converted.js';
import { uiFile } from '../helpers/ui-file.js';
import { runs } from '../../helpers/runs.js';

describe('expandPrompt', () => {
  it.each([
    ['plain', 'plain'],
    ['a {red|blue} car', 'a red car'],
    ['{only}', 'only'],
    ['{{x|y}|z}', 'x'],
    ['{a|{b|c}} {d}', 'a d'],
    ['escaped \\{not\\|a choice\\}', 'escaped {not|a choice}'],
    ['{a\\|b|c}', 'a|b'],
    ['open { brace', 'open  brace'],
    ['open {a|b', 'open a'],
    ['lone } stays', 'lone } stays'],
    ['{}', ''],
    ['see http://example.com/x', 'see http:'],
    ['a // rest\nb', 'a \nb'],
    ['a /* one\ntwo */ b', 'a  b'],
    ['a /* open', 'a /* open'],
    ['/*/ a */b', 'b'],
    ['back\\', 'back\\'],
    ['no | choice', 'no | choice'],
  ])('makes of %j %j', (prompt, text) => {
    expect(expandPrompt(prompt, () => 0)).toBe(text);
  });

  it('picks by the random numbers, the outer choice first, and asks for none that it does not need', () => {
    const numbers = [0.99, 0.5];
    expect(expandPrompt('{a{p|q}|b{r|s}}', () => numbers.shift() ?? Number.NaN)).toBe('bs');
    expect(numbers).toEqual([]);
  });

  it('takes any text and any number in time linear in its length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '|', '\\', '/', '*', '\n', 'a') }),
        fc.double(),
        (text, number) => {
          expect(typeof expandPrompt(text, () => number)).toBe('string');
        },
      ),
    );
    for (const part of ['{', '{|', '/*', '//', '\\{', '{a|b}', '/**/']) {
      expect(expandPrompt(part.repeat(runs(200_000)), () => 0)).toEqual(expect.any(String));
    }
  });
});

describe('texts of nodes', () => {
  const encode = (text: string, options = {}) =>
    inputsOf(uiFile([{ id: 1, type: 'Encode', values: [text] }]), options)['1']?.['text'];

  it('are expanded where the definition says so, and not with dynamicPrompts: raw', () => {
    expect(encode('{a|b}')).toBe('a');
    expect(encode('{a|b}', { random: () => 0.5 })).toBe('b');
    expect(encode('{a|b} // c', { dynamicPrompts: 'raw' })).toBe('{a|b} // c');
    expect(inputsOfNode('Text', ['{a|b}'])).toMatchObject({ text: '{a|b}' });
  });

  it('are expanded after a primitive has written them', () => {
    const file = uiFile([
      { id: 1, type: 'PrimitiveNode', values: ['{x|y}'] },
      { id: 2, type: 'Encode', values: ['old'], links: { text: [1, 0] } },
    ]);
    expect(inputsOf(file)['2']).toEqual({ text: 'x' });
  });

  it.each([
    ['%date:yyyy-MM-dd hh:mm:ss%', '2026-03-04 05:06:07'],
    ['%date:yy/M/d h:m:s%', '26/3/4 5:6:7'],
    ['%Sampler.seed%', '41'],
    ['%Mine.seed%', '42'],
    ['%Aliased.seed%', '43'],
    ['%Load Checkpoint.ckpt%', 'a_b_.safetensors'],
    ['%Sampler.nothing%-%Nobody.x%-%width%-%batch_num%', '%Sampler.nothing%-%Nobody.x%-%width%-%batch_num%'],
    ['50% of %Sampler.a.b%', '50% of %Sampler.a.b%'],
  ])('of savers replace %s', (prefix, text) => {
    const file = uiFile([
      { id: 1, type: 'Sampler', values: [41, 'fixed'] },
      {
        id: 2,
        type: 'Sampler',
        values: [42, 'fixed'],
        title: 'Mine',
        properties: { 'Node name for S&R': 'Other' },
      },
      { id: 3, type: 'Sampler', values: [43, 'fixed'], properties: { 'Node name for S&R': 'Aliased' } },
      { id: 4, type: 'Checkpoint', values: ['a/b?.safetensors'] },
      { id: 5, type: 'SaveImage', values: [prefix] },
    ]);
    expect(inputsOf(file)['5']).toEqual({ filename_prefix: text });
  });

  it('of other nodes keep their %…%, but for a primitive that is set to replace', () => {
    expect(inputsOfNode('Text', ['%date:yyyy%'])).toMatchObject({ text: '%date:yyyy%' });
    const file = (properties: object) =>
      uiFile([
        { id: 1, type: 'PrimitiveNode', values: ['%date:yyyy%'], properties },
        { id: 2, type: 'Text', values: ['old'], links: { text: [1, 0] } },
      ]);
    expect(inputsOf(file({ 'Run widget replace on values': true }))['2']).toMatchObject({ text: '2026' });
    expect(inputsOf(file({}))['2']).toMatchObject({ text: '%date:yyyy%' });
  });
});
