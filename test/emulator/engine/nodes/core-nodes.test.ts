import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { call } from '../../support.js';
import { openLocal, record, runLocal } from '../../local/support.js';
import { recordingContext, runNode } from '../run-node.js';

/** The values that a class makes of its inputs. */
const valuesOf = async (name: string, inputs: Record<string, unknown>): Promise<readonly unknown[]> =>
  (await runNode(name, inputs)).values;

const plain = (width: number, height: number, color = 0): Promise<readonly Picture[]> =>
  valuesOf('EmptyImage', { width, height, batch_size: 1, color }).then(([images]) => images as Picture[]);

const sizes = (images: unknown): readonly (readonly number[])[] =>
  (images as readonly Picture[]).map(({ width, height, rgb }) => [width, height, rgb.length]);

describe('classes of the engine that need no model', () => {
  it('M11: EmptyImage makes pictures of a colour', async () => {
    const [images] = await valuesOf('EmptyImage', { width: 3, height: 2, batch_size: 2, color: 0x0102ff });
    expect(sizes(images)).toEqual([
      [3, 2, 18],
      [3, 2, 18],
    ]);
    expect([...(images as Picture[])[0]!.rgb.subarray(0, 6)]).toEqual([1, 2, 255, 1, 2, 255]);
    await expect(valuesOf('EmptyImage', { width: 16_384, height: 16_384 })).rejects.toThrow('Allocation');
  });

  it('M11: ImageBatch gives the second pictures the size of the first', async () => {
    const [images] = await valuesOf('ImageBatch', { image1: await plain(4, 2), image2: await plain(2, 2) });
    expect(sizes(images)).toEqual([
      [4, 2, 24],
      [4, 2, 24],
    ]);
  });

  it('M11: GetImageSize tells the size in values and as text', async () => {
    const context = recordingContext();
    const { values } = await runNode('GetImageSize', { image: await plain(5, 3) }, context);
    expect(values).toEqual([5, 3, 1]);
    expect(context.texts).toEqual(['width: 5, height: 3\n batch size: 1']);
  });

  it('M11: ImageCrop cuts what is there', async () => {
    const image = await plain(10, 8);
    const cropped = async (x: number, y: number) =>
      sizes((await valuesOf('ImageCrop', { image, x, y, width: 4, height: 4 }))[0]);
    expect(await cropped(0, 0)).toEqual([[4, 4, 48]]);
    expect(await cropped(8, 6)).toEqual([[2, 2, 12]]);
    expect(await cropped(99, 99)).toEqual([[1, 1, 3]]);
  });

  it('M11: ImageScaleBy and RepeatImageBatch scale and repeat', async () => {
    const image = await plain(10, 8);
    const [half] = await valuesOf('ImageScaleBy', { image, upscale_method: 'area', scale_by: 0.5 });
    expect(sizes(half)).toEqual([[5, 4, 60]]);
    const [three] = await valuesOf('RepeatImageBatch', { image, amount: 3 });
    expect(sizes(three)).toHaveLength(3);
  });

  it('M11: masks are made of a value or a channel, and turned round', async () => {
    const [solid] = await valuesOf('SolidMask', { value: 0.2, width: 2, height: 1 });
    expect(solid).toEqual({ kind: 'MASK', width: 2, height: 1, bytes: Uint8Array.of(51, 51) });
    const [inverse] = await valuesOf('InvertMask', { mask: solid });
    expect(inverse).toMatchObject({ bytes: Uint8Array.of(204, 204) });
    const image = await plain(2, 1, 0x102030);
    const [green] = await valuesOf('ImageToMask', { image, channel: 'green' });
    expect(green).toMatchObject({ bytes: Uint8Array.of(0x20, 0x20) });
    await expect(valuesOf('ImageToMask', { image, channel: 'alpha' })).rejects.toThrow('index 3');
  });

  it.each([
    ['StringConcatenate', { string_a: 'a', string_b: 'b', delimiter: '-' }, 'a-b'],
    ['StringSubstring', { string: 'a😀cd', start: 1, end: -1 }, '😀c'],
    ['StringLength', { string: 'a😀' }, 2],
    ['CaseConverter', { string: 'an OLD cat', mode: 'Title Case' }, 'An Old Cat'],
    ['CaseConverter', { string: 'an OLD cat', mode: 'Capitalize' }, 'An old cat'],
    ['CaseConverter', { string: 'an OLD cat', mode: 'toString' }, 'an OLD cat'],
    ['StringTrim', { string: ' a ', mode: 'Left' }, 'a '],
    ['StringReplace', { string: 'aXbX', find: 'X', replace: '$&' }, 'a$&b$&'],
    ['StringContains', { string: 'Abc', substring: 'B', case_sensitive: false }, true],
    ['StringContains', { string: 'Abc', substring: 'B', case_sensitive: true }, false],
    ['PrimitiveInt', { value: 18446744073709551615n }, 18446744073709551615n],
    ['PrimitiveString', { value: 'x' }, 'x'],
    ['PrimitiveBoolean', { value: false }, false],
  ])('M11: %s of %o', async (name, inputs, value) => {
    expect(await valuesOf(name, inputs)).toEqual([value]);
  });

  it.each([
    ['text', 'text'],
    [true, 'True'],
    [undefined, 'None'],
    [1.5, '1.5'],
    [9007199254740993n, '9007199254740993'],
  ])('M11: PreviewAny shows %o', async (source, shown) => {
    expect((await runNode('PreviewAny', { source })).ui).toEqual({ text: [shown] });
  });

  it('M11: CustomCombo takes the options that the editor adds, and tells the choice and its index', async () => {
    const emulator = await openLocal();
    const inputs = { choice: 'wide', index: 1, option1: 'tall', option2: 'wide', option3: '' };
    const { promptId } = await runLocal(emulator, {
      1: { class_type: 'CustomCombo', inputs },
      2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
      3: { class_type: 'PreviewAny', inputs: { source: ['1', 1] } },
    });
    expect(await record(emulator, promptId)).toMatchObject({
      outputs: { 2: { text: ['wide'] }, 3: { text: ['1'] } },
    });
  });

  it('M11: run in a workflow, by the names that an engine gives them', async () => {
    const emulator = await openLocal();
    const { promptId } = await runLocal(emulator, {
      1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 2, color: 255 } },
      2: { class_type: 'GetImageSize', inputs: { image: ['1', 0] } },
      3: { class_type: 'PreviewAny', inputs: { source: ['2', 2] } },
      4: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
    });
    expect(await record(emulator, promptId)).toMatchObject({
      outputs: { 3: { text: ['2'] }, 4: { images: [{ filename: 'blue_00001_.png' }, {}] } },
    });
    const info = (await call(emulator, 'GET', '/object_info')).body as Record<
      string,
      Record<string, unknown>
    >;
    const named = [
      'EmptyImage',
      'GetImageSize',
      'PrimitiveInt',
      'StringLength',
      'PreviewAny',
      'SolidMask',
      'ImageFlip',
      'SaveVideo',
    ];
    expect(
      named.map((name) => [
        info[name]?.['display_name'],
        info[name]?.['python_module'],
        info[name]?.['category'],
      ]),
    ).toEqual([
      ['EmptyImage', 'nodes', 'image'],
      ['Get Image Size', 'comfy_extras.nodes_images', 'image'],
      ['Int', 'comfy_extras.nodes_primitive', 'utils/primitive'],
      ['Length', 'comfy_extras.nodes_string', 'utils/string'],
      ['Preview Any', 'comfy_extras.nodes_preview_any', 'utils'],
      ['SolidMask', 'comfy_extras.nodes_mask', 'mask'],
      ['ImageFlip', 'comfy_extras.nodes_images', 'image/transform'],
      ['Save Video', 'comfy_extras.nodes_video', 'image/video'],
    ]);
  });
});
