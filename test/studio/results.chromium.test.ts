import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems, dropFile, openStudioPage, type StudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import type { Page } from 'playwright-core';

/** A picture, a text and a model of one job. */
const workflow = {
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 48, batch_size: 1, color: 4_660 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'surface' } },
  3: { class_type: 'SaveText', inputs: { text: 'words of **its own**', filename_prefix: 'notes' } },
  4: { class_type: 'SaveGLB', inputs: { mesh: ['1', 0], filename_prefix: 'shape' } },
};

const bring = async (page: Page, name: string): Promise<void> => {
  await dropFile(page, 'body', {
    ...{ name: `${name}.json`, type: 'application/json' },
    bytes: Buffer.from(JSON.stringify(workflow)),
  });
  await page.getByRole('heading', { name, exact: true }).waitFor();
};

/** How large the picture is drawn, as a share of its size at first. */
const scaleOf = (page: Page): Promise<number> =>
  page.locator('.zoom-picture img').evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a);

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage(chromium, { emulator: { speed: 100 } });
  }, 240_000);
  afterAll(() => studio[Symbol.asyncDispose]());

  it('opens each kind of result, zooms a picture, copies its settings, and uses its inputs again', async () => {
    const page = await studio.openTab();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bring(page, 'three kinds');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.strip a').nth(2).waitFor();

    // Another tab and a reload begin with the gallery alone.
    await page.goto(`${studio.address}#/gallery`);
    await page.reload();
    await page.getByText('3 results', { exact: true }).waitFor();
    await page.getByRole('button', { name: /open .*\.md$/u }).click();
    await page.locator('pre', { hasText: 'words of **its own**' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: /open .*\.glb$/u }).click();
    await page.getByText(/\.glb can’t be shown here/u).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download', exact: true }).first().click();
    expect((await downloading).suggestedFilename()).toMatch(/\.glb$/u);
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: /open .*\.png$/u }).click();
    const picture = page.getByRole('group', { name: /^Picture: plus, minus and 0/u });
    await picture.locator('img').waitFor();
    expect(await scaleOf(page)).toBe(1);
    await page.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(() => scaleOf(page)).toBeCloseTo(1.4);
    await picture.press('+');
    await expect.poll(() => scaleOf(page)).toBeCloseTo(1.96);
    await picture.press('0');
    await expect.poll(() => scaleOf(page)).toBe(1);
    await picture.hover();
    await page.mouse.wheel(0, -100);
    await expect.poll(() => scaleOf(page)).toBeCloseTo(1.2);
    await page.getByRole('button', { name: 'Smaller' }).click();
    await expect.poll(() => scaleOf(page)).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Copy settings' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied)).toEqual(JSON.parse(JSON.stringify(workflow)));

    await page.getByRole('button', { name: 'Use these inputs again' }).click();
    await page.getByRole('heading', { name: 'three kinds', exact: true }).waitFor();
    expect(await page.getByLabel('color', { exact: true }).inputValue()).toBe('#001234');
    await page.getByLabel('color', { exact: true }).fill('#123400');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect
      .poll(() => studio.emulator.ledger.jobs.map(({ state }) => state))
      .toEqual(['completed', 'completed']);
    await page.getByRole('link', { name: 'Gallery' }).click();
    await page.getByText('6 results', { exact: true }).waitFor();
    expect(studio.errors).toEqual([]);
    await page.close();
  }, 240_000);

  it('lets the gateway find results by words, workflow and day, and takes out of one tab what another deletes', async () => {
    const page = await studio.openTab(`${studio.address}#/gallery`);
    const submit = (label: string, title: string): Promise<unknown> =>
      page.request.post(`${studio.address}api/v2/jobs`, {
        data: {
          workflow: {
            1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
            2: {
              ...{ class_type: 'SaveImage', _meta: { title } },
              inputs: { images: ['1', 0], filename_prefix: 'flat' },
            },
          },
          metadata: { workflow: label },
        },
      });
    const before = studio.emulator.ledger.jobs.length;
    await submit('Found first', 'a title with a zebra');
    await submit('Found second', 'another title');
    const states = () => studio.emulator.ledger.jobs.slice(before).map(({ state }) => state);
    await expect.poll(states, { timeout: 60_000 }).toEqual(['completed', 'completed']);
    await page.reload();
    await page.getByRole('button', { name: /^Found second: open/u }).waitFor();

    // The page itself knows no titles of nodes.
    await page.getByRole('searchbox', { name: 'Search' }).fill('zebra title');
    await page.getByText('1 result', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Found first: open/u }).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByRole('combobox', { name: /^Workflow/u }).selectOption('Found second');
    await page.getByText('1 result', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Found second: open/u }).waitFor();
    const day = new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 10);
    await page.getByLabel('From', { exact: true }).fill(day);
    await page.getByText('Nothing is like that.').waitFor();
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByText('1 result', { exact: true }).waitFor();

    const other = await studio.openTab(`${studio.address}#/gallery`);
    const tile = other.getByRole('button', { name: /^Found second: open/u });
    await tile.waitFor();
    await page.getByRole('checkbox', { name: /^Choose / }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Really delete the job' }).click();
    await page.getByText('Nothing is like that.').waitFor();
    await expect.poll(() => tile.count()).toBe(0);
    await other.getByRole('button', { name: /^Found first: open/u }).waitFor();
    expect(studio.errors).toEqual([]);
    await page.close();
    await other.close();
  }, 240_000);
});
