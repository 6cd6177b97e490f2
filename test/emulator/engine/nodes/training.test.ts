import { describe, expect, it } from 'vitest';
import { emptyLatent } from '../../../../src/emulator/engine/values.js';
import { encodePng } from '../../../../src/emulator/engine/files/png.js';
import { decodePicture } from '../../../../src/emulator/engine/files/picture-files.js';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import { recordingContext, runNode, testPicture } from '../run-node.js';

describe('M11: LoadImageSetFromFolderNode', () => {
  const files = new Map([
    ['set/a.png', encodePng(testPicture(4, 3))],
    ['set/b.PNG', encodePng(testPicture(2, 6, 9))],
    ['set/notes.txt', new Uint8Array(1)],
    ['set/deeper/c.png', encodePng(testPicture(4, 3))],
    ['other.png', encodePng(testPicture(4, 3))],
  ]);
  const load = async (folder: string, method?: string) => {
    const inputs = { folder, ...(method !== undefined && { resize_method: method }) };
    return (await runNode('LoadImageSetFromFolderNode', inputs, recordingContext({}, files))).values[0];
  };

  it('lists the folders of the uploads', () => {
    const definition = nodeClasses
      .get('LoadImageSetFromFolderNode')
      ?.definition({ inputs: [...files.keys()] });
    expect(definition?.input.required?.['folder']?.[0]).toEqual(['set']);
  });

  it.each(['Stretch', 'Crop', 'Pad'])(
    'brings the pictures to the size of the first one by %s',
    async (method) => {
      expect(await load('set', method)).toMatchObject([testPicture(4, 3), { width: 4, height: 3 }]);
    },
  );

  it('fails where sizes differ and none is chosen, and where there is no picture', async () => {
    await expect(load('set')).rejects.toMatchObject({ exceptionType: 'ValueError' });
    await expect(load('nothing')).rejects.toMatchObject({ exceptionType: 'ValueError' });
  });

  it('cuts a picture that is too large, and leaves black where it is too small', async () => {
    const [, cropped] = (await load('set', 'Crop')) as [unknown, ReturnType<typeof testPicture>];
    const whole = testPicture(2, 6, 9);
    for (const [y, x] of [
      [0, 0],
      [2, 1],
    ] as const)
      expect(cropped.rgb[(y * 4 + x) * 3]).toBe(whole.rgb[(y * 2 + x) * 3]);
    expect(cropped.rgb.subarray(6, 12)).toEqual(new Uint8Array(6));
  });
});

describe('M11: a training', () => {
  const inputs = {
    ...{ model: { kind: 'MODEL', checkpoint: 'c' }, latents: emptyLatent(16, 16, 2) },
    ...{ positive: { kind: 'CONDITIONING', text: 'a cat' }, steps: 12, learning_rate: 0.0005, seed: 3 },
  };

  it('reports its steps, and draws how its losses fall', async () => {
    const context = recordingContext();
    const [model, , loss, steps] = (await runNode('TrainLoraNode', inputs, context)).values;
    expect([model, steps]).toEqual([inputs.model, 12]);
    expect(context.steps.at(-1)).toEqual([12, 12]);
    const { ui } = await runNode('LossGraphNode', { loss, filename_prefix: 'loss_graph' }, context);
    expect(ui).toEqual({ images: [{ filename: 'loss_graph_1.png', subfolder: '', type: 'temp' }] });
    const picture = decodePicture(context.saved[0]!.bytes)!;
    expect([picture.width, picture.height]).toEqual([840, 520]);
    /** Where the blue curve is first met from above. */
    const curveAt = (x: number) =>
      Array.from({ length: picture.height }, (_, y) => y).find((y) => {
        const at = (y * picture.width + x) * 3;
        return picture.rgb[at] === 0 && picture.rgb[at + 2] === 255;
      })!;
    expect(curveAt(60)).toBeLessThan(curveAt(600));
  });

  it('draws one loss, or some that are equal, as a line', async () => {
    for (const losses of [[0.5], [0.5, 0.5, 0.5]]) {
      const context = recordingContext();
      await runNode('LossGraphNode', { loss: { kind: 'LOSS_MAP', losses }, filename_prefix: 'a' }, context);
      expect(decodePicture(context.saved[0]!.bytes)).toMatchObject({ width: 840, height: 520 });
    }
  });
});
