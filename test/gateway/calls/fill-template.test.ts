import { describe, expect, it } from 'vitest';
import { fillTemplate } from '../../../src/server/gateway/calls/fill-template.js';
import { template } from '../../../src/workflow.js';

const workflow = {
  1: { class_type: 'LoadImage', inputs: { image: 'none.png', size: 1 }, _meta: { title: 'Picture' } },
  2: { class_type: 'LoadImage', inputs: { image: 'none.png' }, _meta: { title: 'Mask' } },
};
const made = template(workflow, {
  picture: 'Picture.image',
  mask: { title: 'Mask', input: 'image', optional: true },
  size: { title: 'Picture', input: 'size', optional: true },
});
if (made._tag === 'Left') throw made.left;
const filled = (inputs: unknown) => fillTemplate(made.right, inputs);
const asset = (id: string) => ({ __type: 'core/ASSET', info: { id } });
const withImages = (picture: unknown, mask: unknown = 'none.png') => ({
  right: { 1: { inputs: { image: picture, size: 1 } }, 2: { inputs: { image: mask } } },
});

describe('a template that is filled', () => {
  it('has the values of its inputs', () => {
    expect(filled({ picture: 'a.png', mask: 'b.png' })).toMatchObject(withImages('a.png', 'b.png'));
  });

  it('has references to uploaded files in their places, as they are or as an upload gave them', () => {
    const [given, uploaded] = [
      asset('a'),
      { name: 'b.png', subfolder: '', type: 'input', asset: { id: 'b' } },
    ];
    expect(filled({ picture: given, mask: uploaded })).toMatchObject(withImages(given, asset('b')));
    // Of a reference nothing but its id counts.
    expect(filled({ picture: { ...given, info: { id: 'a', more: 1 }, more: 2 } })).toEqual({
      ...{ _tag: 'Right', right: { ...workflow, 1: { ...workflow[1], inputs: { image: given, size: 1 } } } },
    });
  });

  it.each([
    ['a reference without an id', { picture: { __type: 'core/ASSET', info: {} } }],
    ['a reference of another kind', { picture: { __type: 'core/FILE', info: { id: 'a' } } }],
    ['an id that is no text', { picture: { asset: { id: 7 } } }],
    ['an input that it does not have', { picture: 'a.png', pictur: 'b.png' }],
    ['nothing for an input that it needs', {}],
    ['a value of another type', { picture: 'a.png', size: 'large' }],
    ['no object', 'a.png'],
  ])('refuses %s, with what is wrong', (_, inputs) => {
    expect(filled(inputs)).toMatchObject({
      left: { status: 422, code: 'invalid_inputs', message: expect.any(String) as string },
    });
    const { details } = (filled(inputs) as unknown as { left: { details: { problems: readonly object[] } } })
      .left;
    for (const problem of details.problems) expect(Object.keys(problem)).toEqual(['name', 'type', 'message']);
    expect(details.problems.length).toBeGreaterThan(0);
  });
});
