import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropFile, openStudioPage, type StudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import type { Page } from 'playwright-core';

/** As an editor saves it: nodes with places and widgets, and links by number. */
const edited = {
  last_node_id: 12,
  last_link_id: 1,
  nodes: [
    {
      ...{ id: 5, type: 'EmptyImage', pos: [40, 300], size: [220, 130], order: 0, mode: 0, inputs: [] },
      outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
      ...{ title: 'A plain surface', widgets_values: [32, 24, 1, 255] },
    },
    {
      ...{ id: 12, type: 'SaveImage', pos: [640, 40], size: [220, 80], order: 1, mode: 0, outputs: [] },
      inputs: [{ name: 'images', type: 'IMAGE', link: 1 }],
      ...{ title: 'Keep it', widgets_values: ['plain'] },
    },
  ],
  links: [[1, 5, 0, 12, 0, 'IMAGE']],
  version: 0.4,
};

/** Takes a film and saves it again. */
const passedOn = {
  1: { class_type: 'LoadVideo', inputs: { file: 'none.mp4' } },
  2: {
    class_type: 'SaveVideo',
    inputs: { video: ['1', 0], filename_prefix: 'again', format: 'auto', codec: 'auto' },
  },
};

/** What the stage plays, as a file. */
const played = async (page: Page, address: string): Promise<Buffer> => {
  const source = await page.locator('.stage audio, .stage video').getAttribute('src');
  return Buffer.from(await (await fetch(new URL(source ?? '', address))).arrayBuffer());
};

const duration = (page: Page): Promise<number> =>
  page.locator('.stage audio, .stage video').evaluate((media: HTMLMediaElement) => media.duration);

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage(chromium, { emulator: { speed: 100 } });
  }, 240_000);
  afterAll(() => studio[Symbol.asyncDispose]());

  it('takes the file of an editor, draws it as its author did, and runs it', async () => {
    const page = await studio.openTab();
    await dropFile(page, '.bring', {
      ...{ name: 'plain.json', type: 'application/json' },
      bytes: Buffer.from(JSON.stringify(edited)),
    });
    await page.getByRole('heading', { name: 'plain', exact: true }).waitFor();
    expect(await page.getByLabel('width', { exact: true }).inputValue()).toBe('32');
    expect(await page.getByLabel('color', { exact: true }).inputValue()).toBe('#0000ff');
    const [from, to] = await Promise.all(
      ['A plain surface', 'Keep it'].map(
        async (title) =>
          (await page.getByRole('img', { name: new RegExp(`^${title}:`, 'u') }).boundingBox())!,
      ),
    );
    // To the left and below, where a layout would put both at one height.
    expect(from!.x + from!.width).toBeLessThan(to!.x);
    expect(from!.y).toBeGreaterThan(to!.y + to!.height);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const image = page.getByRole('img', { name: 'Result of plain' });
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(32);
    expect(studio.errors).toEqual([]);
    await page.close();
  }, 240_000);

  it('sends a sound at its field, and takes the workflow out of the sound that is made of it', async () => {
    const page = await studio.openTab();
    await page.getByRole('button', { name: /^Audio/u }).click();
    await dropFile(page, '.file', { name: 'silence.wav', type: 'audio/wav', bytes: silence() });
    await page.getByText('silence.wav is there.').waitFor();
    await page.getByLabel('Seconds', { exact: true }).fill('0.05');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.stage audio').waitFor();
    await expect.poll(() => duration(page)).toBeCloseTo(0.05, 2);
    const bytes = await played(page, studio.address);
    await dropFile(page, '.results', { name: 'found.flac', type: 'audio/flac', bytes });
    await page.getByRole('heading', { name: 'found', exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('duration', { exact: true }).inputValue()).toBe('0.05');
    expect(studio.errors).toEqual([]);
    await page.close();
  }, 240_000);

  it('takes the workflow out of a film, and sends the film at a field of its kind', async () => {
    const page = await studio.openTab();
    await page.getByRole('button', { name: /^Text to video/u }).click();
    for (const size of ['Width', 'Height']) await page.getByLabel(size, { exact: true }).fill('64');
    await page.getByLabel('Frames', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.stage video').waitFor();
    await expect.poll(() => duration(page)).toBeGreaterThan(0);
    const bytes = await played(page, studio.address);
    await dropFile(page, '.results', { name: 'found.mp4', type: 'video/mp4', bytes });
    await page.getByRole('heading', { name: 'found', exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('length', { exact: true }).inputValue()).toBe('5');

    await dropFile(page, '.results', {
      ...{ name: 'again.json', type: 'application/json' },
      bytes: Buffer.from(JSON.stringify(passedOn)),
    });
    await page.getByRole('heading', { name: 'again', exact: true }).waitFor();
    await dropFile(page, '.file', { name: 'mine.mp4', type: 'video/mp4', bytes });
    await page.getByText('mine.mp4 is there.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.strip a').filter({ hasText: 'again' }).first().waitFor();
    expect(studio.emulator.ledger.jobs.at(-1)?.state).toBe('completed');
    expect(studio.errors).toEqual([]);
    await page.close();
  }, 240_000);
});

/** A WAV file of a tenth of a second, 8 bits and 8 kHz. */
const silence = (): Buffer => {
  const samples = Buffer.alloc(800, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
};
