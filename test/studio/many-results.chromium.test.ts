import { expect, it } from 'vitest';
import { accessibilityProblems, openStudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import type { Page } from 'playwright-core';

const [jobs, perPage] = [5_000, 100];

/** The job whose file the service has deleted. */
const deleted = 'job-3';

const jobOf = (at: number) => ({
  ...{ id: `job-${at}`, createdAt: 1_700_000_000_000 - at, expiresAt: 4_000_000_000_000 },
  metadata: { workflow: at % 2 === 0 ? 'Even' : 'Odd', 'studio.prompt': `number ${at}` },
  state: {
    ...{ promptId: `job-${at}`, phase: 'completed', nodes: {}, progress: 1, outputsComplete: true },
    ...{ nodeErrors: {}, warnings: [] },
    outputs: { 7: { images: [{ filename: `${at}.png`, subfolder: '', type: 'output' }] } },
  },
});

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Answers in place of a gateway that has thousands of jobs. */
const haveThousands = async (page: Page): Promise<void> => {
  await page.route(/\/jobs\?/u, (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (query.get('status')?.includes('pending') === true) return route.fulfill({ json: { jobs: [] } });
    const text = query.get('text');
    if (text !== null) {
      const found = Array.from({ length: jobs }, (_, at) => jobOf(at)).filter(({ metadata }) =>
        metadata['studio.prompt'].includes(text),
      );
      return route.fulfill({ json: { jobs: found.slice(0, perPage) } });
    }
    const from = Number(query.get('cursor') ?? 0);
    const next = from + perPage;
    return route.fulfill({
      json: {
        jobs: Array.from({ length: perPage }, (_, at) => jobOf(from + at)),
        ...(next < jobs && { next: String(next) }),
      },
    });
  });
  await page.route(/\/jobs\/job-\d+$/u, (route) => {
    const at = Number(/\d+$/u.exec(route.request().url())?.[0]);
    const file = { id: 'o', nodeId: '7', filename: `${at}.png`, type: 'output', mediaType: 'image/png' };
    return route.fulfill({ json: { ...jobOf(at), files: [file] } });
  });
  await page.route(/\/outputs\/o$/u, (route) =>
    route.request().url().includes(`/jobs/${deleted}/`)
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body: pixel, contentType: 'image/png' }),
  );
};

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('keeps little of 5,000 results in the page, and finds one of them by its words', async () => {
    await using studio = await openStudioPage(chromium);
    const { page, errors } = studio;
    await haveThousands(page);
    await page.goto(`${studio.address}#/gallery`);
    await page.reload();
    await page.locator('.cell img').first().waitFor();
    await page.getByRole('button', { name: 'Odd: open 3.png' }).getByText('Not there').click();
    await page.getByText('3.png is not there. The service may have deleted it.').waitFor();
    await page.keyboard.press('Escape');
    const list = page.locator('.gallery-list');
    // Chromium scrolls what is opaque without the thread of the page, so that it stays smooth while results come.
    expect(await list.evaluate((element) => getComputedStyle(element).backgroundColor)).toMatch(/^rgb\(/u);
    // To the last page, as a person scrolls: each page is asked for when the one before is nearly seen.
    await expect
      .poll(
        async () => {
          await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          return page
            .getByRole('status')
            .getByText(/results$/u)
            .innerText();
        },
        { timeout: 120_000, interval: 20 },
      )
      .toBe('5000 results');
    await page.getByText('Odd', { exact: true }).last().waitFor();
    expect(await page.locator('.gallery-all *').count()).toBeLessThanOrEqual(200);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search' }).fill('number 4321');
    await page.getByText('1 result', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Odd: open 4321.png' }).click();
    await page.getByText('“number 4321”').waitFor();
    expect(errors).toEqual([]);
  }, 240_000);
});
