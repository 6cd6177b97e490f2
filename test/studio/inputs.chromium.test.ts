import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems, dropFile, openStudioPage, type StudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import type { Page } from 'playwright-core';

/** A colour, a switch, several of a list, a node that fails and one that tells a text. */
const workflow = {
  1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  2: {
    class_type: 'FailOnPurpose',
    inputs: {
      ...{ exception_type: 'torch.OutOfMemoryError', message: 'There is no memory left.' },
      ...{ image: ['1', 0], steps: 0, fail: true },
    },
    _meta: { title: 'The one that fails' },
  },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'orange' } },
  4: { class_type: 'PromptStyler', inputs: { text: 'a lake', style: 'none', extras: { __value__: [] } } },
  5: { class_type: 'PreviewAny', inputs: { source: ['4', 0] } },
};

const json = (name: string, value: unknown) => ({
  name,
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

/** A picture of one colour, as the page encodes it. */
const picture = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(24, 16);
    canvas.getContext('2d')?.fillRect(0, 0, 24, 16);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });

/** Pastes a picture where the focus is. */
const pastePicture = async (page: Page, name: string): Promise<void> => {
  await page.evaluate(
    ({ bytes, fileName }) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(bytes)], fileName, { type: 'image/png' }));
      const place = document.activeElement ?? document.body;
      place.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { bytes: await picture(page), fileName: name },
  );
};

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage(chromium, { emulator: { speed: 100 } });
  }, 240_000);
  afterAll(() => studio[Symbol.asyncDispose]());

  it('says where and why a job failed and what helps, and runs again with colours, choices and switches as they are set', async () => {
    const page = await studio.openTab();
    await dropFile(page, '.bring', json('inputs.json', workflow));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'The job failed' });
    await failure.getByText('There is no memory left.').waitFor();
    await failure.getByText('In node 2, FailOnPurpose.').waitFor();
    await failure.getByText('Make the picture smaller').waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.getByRole('img', { name: /^The one that fails: failed/u }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByLabel('color', { exact: true }).fill('#ff8000');
    await page.getByRole('checkbox', { name: 'fail', exact: true }).uncheck();
    const extras = page.getByRole('group', { name: 'extras' });
    for (const name of ['ocean', 'mountains', 'city']) await extras.getByLabel(name).check();
    await extras.getByLabel('city').uncheck();
    await page.getByLabel('style', { exact: true }).selectOption('at sunset');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Texts of the job' }).waitFor();
    await page.getByText('a lake, at sunset, mountains, ocean').waitFor();
    const image = page.getByRole('img', { name: 'Result of inputs' });
    const pixel = await image.evaluate(async (element: HTMLImageElement) => {
      await element.decode();
      const context = new OffscreenCanvas(8, 8).getContext('2d')!;
      context.drawImage(element, 0, 0);
      return [...context.getImageData(4, 4, 1, 1).data];
    });
    expect(pixel).toEqual([255, 128, 0, 255]);
    expect(studio.errors).toEqual([]);
    await page.close();
  }, 240_000);

  it('finds a choice in a long list by parts of its name, and keeps the one that is chosen', async () => {
    const page = await studio.openTab();
    const list = page.getByLabel('exception_type', { exact: true });
    const search = page.getByRole('searchbox', { name: 'Search in the choices of exception_type' });
    await dropFile(page, '.bring', json('inputs.json', workflow));
    await search.fill('download MODEL');
    await expect
      .poll(() => list.locator('option').allInnerTexts())
      .toEqual(['torch.OutOfMemoryError', 'ModelDownloadError']);
    expect(await list.inputValue()).toBe('torch.OutOfMemoryError');
    await list.selectOption('ModelDownloadError');
    await search.fill('');
    await expect.poll(() => list.locator('option').count()).toBe(12);
    expect(await list.inputValue()).toBe('ModelDownloadError');
    expect(studio.errors).toEqual([]);
    await page.close();
  }, 240_000);

  it('takes a picture by the camera, by paste at its field, and by paste anywhere on the page', async () => {
    const page = await studio.openTab();
    await page.getByRole('button', { name: /^Image to image/u }).click();
    await page.getByRole('button', { name: 'Camera' }).click();
    await page.getByRole('button', { name: 'Take the picture' }).click();
    await page.getByText('camera.png is there.').waitFor();
    const shown = page.getByRole('img', { name: 'The picture of Picture' });
    const size = await shown.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return image.naturalWidth * image.naturalHeight;
    });
    expect(size).toBeGreaterThan(100);

    await page.locator('.file').click({ position: { x: 4, y: 4 } });
    await pastePicture(page, 'at-field.png');
    await page.getByText('at-field.png is there.').waitFor();
    await page.getByRole('heading', { name: 'Image to image' }).click();
    await pastePicture(page, 'at-page.png');
    await page.getByText('at-page.png is there.').waitFor();
    expect(await page.locator('.not-brought').count()).toBe(0);
    await page.getByText(/^Uses .*at-page/u).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('img', { name: 'Result of Image to image' }).waitFor();
    expect(studio.errors).toEqual([]);
    await page.close();
  }, 240_000);
});
