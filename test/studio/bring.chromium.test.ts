import { expect, it } from 'vitest';
import { accessibilityProblems, dropFile, openStudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { textToImageWorkflow } from '../../src/emulator.js';

const json = (value: unknown) => ({
  name: 'my-own.json',
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('takes a dropped file with problems, mends them at their fields, and runs it', async () => {
    await using studio = await openStudioPage(chromium);
    const { page, errors, emulator } = studio;
    const workflow = textToImageWorkflow({ steps: 2, width: 64, height: 64 });
    const wrong: Readonly<Record<string, object>> = {
      CheckpointLoaderSimple: { ckpt_name: 'Scenery-v1.safetensors' },
      KSampler: { steps: 99_999 },
    };
    const broken = Object.entries(workflow).map(([id, node]) => [
      id,
      { ...node, inputs: { ...node.inputs, ...wrong[node.class_type] } },
    ]);
    await dropFile(page, '.bring', json(Object.fromEntries(broken)));
    await page.getByRole('heading', { name: 'my-own' }).waitFor();
    await page.getByRole('button', { name: 'Fix: scenery-v1.safetensors' }).click();
    await page.getByRole('button', { name: 'Fix: 10000' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('steps', { exact: true }).fill('2');
    await expect.poll(() => page.getByRole('button', { name: /^Fix/u }).count()).toBe(0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('img', { name: 'Result of my-own' }).waitFor();
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed']);
    expect(errors).toEqual([]);
  }, 240_000);

  it('takes the workflow out of a picture that a service has made, and a pasted text; and says of a file that it has none', async () => {
    await using studio = await openStudioPage(chromium);
    const { page, errors, address } = studio;
    await page.getByRole('button', { name: /^Text to image/u }).click();
    await page.getByLabel('Prompt', { exact: true }).fill('a picture with its own graph');
    await page.getByLabel('Steps', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('img', { name: 'Result of Text to image' });
    const source = await result.getAttribute('src');
    const bytes = Buffer.from(await (await fetch(new URL(source ?? '', address))).arrayBuffer());
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page
      .locator('.bring input')
      .setInputFiles({ name: 'found.png', mimeType: 'image/png', buffer: bytes });
    await page.getByRole('heading', { name: 'found' }).waitFor();
    const texts = page.locator('textarea');
    await expect.poll(() => texts.first().inputValue()).toBe('a picture with its own graph');

    await page.evaluate(
      (text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      },
      JSON.stringify(textToImageWorkflow({ prompt: 'a pasted one' })),
    );
    await page.getByRole('heading', { name: 'Pasted workflow' }).waitFor();
    await dropFile(page, 'body', {
      name: 'note.txt',
      type: 'text/plain',
      bytes: Buffer.from('no workflow'),
    });
    await page.getByRole('alert').getByText('note.txt').waitFor();
    expect(errors).toEqual([]);
  }, 240_000);

  it('sends a picture that is dropped at its field, and a mask that is painted on it', async () => {
    await using studio = await openStudioPage(chromium);
    const { page, errors, emulator } = studio;
    await page.getByRole('button', { name: /^Inpaint/u }).click();
    const png = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(120, 80);
      canvas.getContext('2d')?.fillRect(0, 0, 120, 80);
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
    });
    await dropFile(page, '.file >> nth=0', { name: 'black.png', type: 'image/png', bytes: Buffer.from(png) });
    await page.getByText('black.png is there.').waitFor();
    await page.getByRole('button', { name: 'Paint a mask' }).click();
    const canvas = page.getByRole('img', { name: /^The picture with a mask/u });
    const stroke = async (from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
      const box = (await canvas.boundingBox())!;
      const at = ([x, y]: readonly [number, number]) =>
        [box.x + box.width * x, box.y + box.height * y] as const;
      await page.mouse.move(...at(from));
      await page.mouse.down();
      await page.mouse.move(...at(to), { steps: 4 });
      await page.mouse.up();
    };
    await stroke([0.4, 0.5], [0.6, 0.5]);
    await stroke([0.1, 0.1], [0.2, 0.1]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Eraser' }).click();
    await stroke([0.5, 0.5], [0.5, 0.5]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use this mask' }).click();
    await page.getByText('black-masked.png is there.').waitFor();
    const alpha = await page.locator('.file-picture').evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      const context = new OffscreenCanvas(120, 80).getContext('2d')!;
      context.drawImage(image, 0, 0);
      return [
        [2, 2],
        [36, 40],
        [60, 40],
      ].map(([x = 0, y = 0]) => context.getImageData(x, y, 1, 1).data[3]);
    });
    expect(alpha).toEqual([255, 0, 255]);
    expect(emulator.requests.filter(({ url }) => url.includes('/upload')).length).toBe(2);
    expect(errors).toEqual([]);
  }, 240_000);
});
