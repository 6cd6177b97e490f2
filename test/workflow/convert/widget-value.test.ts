import { asLiteral, roundedAsWritten, sentValue } from '../../../src/workflow/convert/widget-value.js';
import { describe, expect, it } from 'vitest';
import { planOf, type Widget } from '../../../src/workflow/convert/widget-plan.js';
import { readDefinition } from '../../../src/workflow.js';

/** The widget of an input with this type and these options. */
const widget = (type: unknown, options: object = {}): Widget => {
  const definition = readDefinition({ Any: { input: { required: { value: [type, options] } } } }, 'Any');
  const found = definition && planOf(definition).widgets[0];
  if (found === undefined) throw new Error(`an input of type ${String(type)} has no widget`);
  return found;
};

describe('a number that something has written into a widget', () => {
  it.each([
    ['INT', {}, 2.4, 2],
    ['INT', {}, 2.5, 3],
    ['INT', { step: 8 }, 13, 16],
    ['INT', { step: 8 }, 11, 8],
    ['INT', { step: 8 }, 3, 0],
    ['INT', { step: 8, min: 0 }, 13, 16],
    ['INT', { step: 8, min: 20 }, 13, 12],
    ['INT', { step: 8, min: 20 }, 17, 20],
    ['INT', { step: 0 }, 2.5, 2.5],
    ['INT', { step: -1 }, 2.5, 2.5],
    ['FLOAT', {}, 1.26, 1.3],
    ['FLOAT', { step: 0.01 }, 1.256, 1.26],
    ['FLOAT', { step: 0.01 }, 1.234, 1.23],
    ['FLOAT', { step: 1 }, 1.26, 1.26],
    ['FLOAT', { step: 0 }, 1.26, 1.26],
    ['FLOAT', { step: 0.01, round: 0.05 }, 1.23, 1.25],
    ['FLOAT', { step: 0.01, round: false }, 1.234, 1.23],
    ['FLOAT', { step: 0.1, min: 2 }, 1.26, 2],
    ['FLOAT', { step: 0.1, max: 1 }, 1.26, 1],
    ['FLOAT', { step: 0.1, min: -1, max: 9 }, -0.26, -0.3],
    ['FLOAT', { step: 0.1 }, -0.26, -0.3],
    ['FLOAT', { step: 0.1, max: 9 }, -0.26, -0.3],
    ['FLOAT', { step: 0.1, min: -9 }, 1234.56, 1234.6],
    ['INT', {}, -2.6, -3],
    ['INT', { step: 8 }, -13, -16],
  ])('%s %j makes of %d a %d', (type, options, value, kept) => {
    expect(roundedAsWritten(widget(type, options), value)).toBe(kept);
  });

  it.each([
    ['INT', 'a text'],
    ['INT', Infinity],
    ['INT', NaN],
    ['FLOAT', null],
    ['STRING', 2.5],
  ])('in %s stays as it is where there is nothing to round: %s', (type, value) => {
    expect(roundedAsWritten(widget(type), value)).toBe(value);
  });
});

describe('the value that a widget sends', () => {
  it.each([
    ['INT', {}, 0],
    ['FLOAT', {}, 0],
    ['STRING', {}, ''],
    ['BOOLEAN', {}, false],
    ['INT', { default: 7 }, 7],
    [['a', 'b'], {}, 'a'],
    [['a', 'b'], { default: 'b' }, 'b'],
    [['a', 'b'], { multi_select: true }, []],
    [['a', 'b'], { multi_select: false }, 'a'],
  ])('of %j %j without one in the file is %j', (type, options, sent) => {
    expect(sentValue(widget(type, options), undefined)).toEqual(sent);
  });

  it('is the one in the file, also null; a combo has its default in place of null', () => {
    expect(sentValue(widget('INT', { default: 7 }), 0)).toBe(0);
    expect(sentValue(widget('STRING', { default: 'x' }), null)).toBeNull();
    expect(sentValue(widget(['a', 'b'], { default: 'b' }), null)).toBe('b');
    expect(sentValue(widget([]), null)).toBeNull();
  });

  it('is none of a button or a player', () => {
    for (const type of ['IMAGEUPLOAD', 'AUDIOUPLOAD', 'AUDIO_UI']) {
      expect(sentValue({ ...widget('STRING'), type }, 'x')).toBeUndefined();
    }
  });

  it('is wrapped where the service would read a list as a link', () => {
    expect(asLiteral([1, 2])).toEqual({ __value__: [1, 2] });
    expect(asLiteral([[0, 1]], 'CURVE')).toEqual({ __type__: 'CURVE', __value__: [[0, 1]] });
    expect(asLiteral({ a: [1] })).toEqual({ a: [1] });
    expect(asLiteral('text', 'CURVE')).toBe('text');
  });
});
