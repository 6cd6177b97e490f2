import { describe, expect, it } from 'vitest';
import { inputType } from '../../../src/cli/types/input-type.js';
import { newScope } from '../../../src/cli/types/scope.js';
import { readInputs } from '../../../src/workflow.js';

/** The type of an input named `x`, and what it declares beside it. */
const typeOf = (...spec: readonly unknown[]) => {
  const scope = newScope();
  const types = readInputs({ required: { x: spec } }).map((input) => inputType(input, scope));
  return { type: types.join(), declared: scope.take() };
};
const open = '(string & Record<never, never>)';

describe('inputType', () => {
  it.each([
    ['INT', 'number | bigint | Input<"x", "INT">'],
    ['FLOAT', 'number | Input<"x", "FLOAT">'],
    ['STRING', 'string | Input<"x", "STRING">'],
    ['BOOLEAN', 'boolean | Input<"x", "BOOLEAN">'],
    ['INT, FLOAT', 'number | bigint | Input<"x", "INT" | "FLOAT">'],
    ['IMAGE', 'Input<"x", "IMAGE">'],
    ['*', 'Literal | Input<"x", string>'],
    ['COMFY_MATCHTYPE_V3', 'Literal | Input<"x", string>'],
  ])('of %s takes its literals and its outputs: %s', (type, wanted) => {
    expect(typeOf(type, {})).toEqual({ type: wanted, declared: '' });
  });

  it.each(['COLOR', 'MARKDOWN', 'TEXTAREA'])('of %s takes the text of its widget', (type) => {
    expect(typeOf(type, {}).type).toBe(`string | Input<"x", "${type}">`);
  });

  it.each(
    [
      'CURVE RANGE CHART GALLERIA PAINTER IMAGECOMPARE BOUNDING_BOX BOUNDING_BOXES COLORS',
      'IMAGEUPLOAD AUDIOUPLOAD AUDIO_UI AUDIO_RECORD WEBCAM LOAD_3D PREVIEW_3D LOAD_3D_ADVANCED',
    ]
      .join(' ')
      .split(' '),
  )('of %s takes whatever its widget makes', (type) => {
    expect(typeOf(type, {}).type).toBe(`Literal | Input<"x", "${type}">`);
  });

  it('takes any literal of a type that is not known but has a default', () => {
    expect(typeOf('ANGLE', { default: 0 }).type).toBe('Literal | Input<"x", "ANGLE">');
    expect(typeOf('INT', { default: 0 }).type).toBe('number | bigint | Input<"x", "INT">');
  });

  it('names a list of choices, which is the type itself in its older form', () => {
    const { type, declared } = typeOf(['a', 'b'], {});
    expect(type).toBe('X');
    expect(declared).toMatch(/^export type X = "a" \| "b" \| Output<"list [\w-]+">;\n\n$/u);
    expect(typeOf('COMBO', { options: ['a', 'b'] })).toEqual({
      type: 'X | Input<"x", "COMBO">',
      declared: 'export type X = "a" | "b";\n\n',
    });
  });

  it('takes any literal of a list that the service alone knows', () => {
    expect(typeOf('COMBO', { remote: { route: '/x' } })).toEqual({
      type: 'Literal | Input<"x", "COMBO">',
      declared: '',
    });
  });

  it.each([
    [{ multiselect: true }, true],
    [{ multi_select: { placeholder: 'p' } }, true],
    [{ multi_select: true }, true],
    [{ multi_select: false }, false],
    [{ multiselect: false }, false],
    [{ multiselect: 'yes' }, false],
  ])('takes several choices where the widget does: %o', (options, several) => {
    expect(typeOf('COMBO', { options: ['a'], ...options }).type).toBe(
      `${several ? 'readonly X[]' : 'X'} | Input<"x", "COMBO">`,
    );
  });

  it.each(['image_upload', 'animated_image_upload', 'video_upload', 'audio_upload', 'file_upload'])(
    'takes the name of a file that is uploaded later: %s',
    (flag) => {
      for (const [type, options] of [
        [['a.png'], {}],
        ['COMBO', { options: ['a.png'] }],
      ] as const) {
        expect(typeOf(type, { ...options, [flag]: true }).declared).toContain(open);
        expect(typeOf(type, { ...options, [flag]: 'yes' }).declared).not.toContain(open);
      }
    },
  );
});
