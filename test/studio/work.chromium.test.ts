import { expect, it } from 'vitest';
import { accessibilityProblems, openStudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';

const open = async (page: Page, workflow: RegExp): Promise<void> => {
  await page.getByRole('button', { name: workflow }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  // Small pictures are quick to make.
  for (const size of ['Width', 'Height']) await page.getByLabel(size, { exact: true }).fill('64');
};

/** One line of a recording. */
interface Recorded {
  readonly name: string;
  readonly at: number;
  readonly data: {
    readonly progress?: { readonly nodes: Readonly<Record<string, { readonly phase: string }>> };
  };
}

/** A recording with its events at equal distances, as a busy machine sees many of them at once; and the share of its time at which the sampler runs and a picture has come. */
const spread = async (file: string): Promise<{ readonly recording: Buffer; readonly share: number }> => {
  const [head, ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
  const events = lines.map((line, at) => ({ ...(JSON.parse(line) as Recorded), at: 20 * at }));
  const picture = events.findIndex(({ name }) => name === 'picture');
  const running = events.findIndex(
    ({ data }, at) => at > picture && data.progress?.nodes['5']?.phase === 'running',
  );
  expect([picture >= 0, running >= 0]).toEqual([true, true]);
  return {
    recording: Buffer.from([head, ...events.map((event) => JSON.stringify(event))].join('\n')),
    share: Math.ceil((100 * running) / (events.length - 1)) / 100,
  };
};

/** Of a machine that does much else. */
const patience = { timeout: 90_000 };

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('runs over ranges as a grid, compares two of its cells, takes them along as a zip, and deletes them', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 20 } });
    const { page, errors, emulator } = studio;
    await open(page, /^Text to image/u);
    await page.getByRole('button', { name: 'Run over a range of Steps' }).click();
    await page.getByLabel('Steps', { exact: true }).fill('1, 2, 3');
    await page.getByRole('button', { name: 'Run over a range of Seed' }).click();
    await page.getByLabel('Seed', { exact: true }).fill('1…2');
    await page.getByRole('button', { name: 'Run 6 jobs' }).click();
    await expect
      .poll(() => emulator.ledger.jobs.map(({ state }) => state), patience)
      .toEqual(Array.from({ length: 6 }, () => 'completed'));
    await page.getByRole('link', { name: 'Gallery' }).click();
    await page.getByText('6 results').waitFor();
    await page.locator('.cell button').first().click();
    await page.getByRole('button', { name: 'Show its grid' }).click();
    const cells = page.locator('.cell .tile-text');
    await expect
      .poll(() => cells.allInnerTexts())
      .toEqual(['1', '2'].flatMap((seed) => ['1', '2', '3'].map((steps) => `Seed ${seed} · Steps ${steps}`)));
    for (const at of [0, 1]) await page.locator('.cell-choose').nth(at).check();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('slider', { name: 'How much of the first picture is seen' }).fill('20');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as zip' }).click();
    expect((await downloading).suggestedFilename()).toBe('results.zip');
    expect(errors).toEqual([]);
  }, 240_000);

  it('shows the graph, the times and the events of a job, keeps the times over a reload, and replays a recording', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 1 } });
    const { page, errors } = studio;
    await open(page, /^Text to image/u);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('tab', { name: 'Look inside' }).click();
    await page
      .locator('.event-name', { hasText: /^picture$/u })
      .first()
      .waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    await page.getByText("from 'promptwire/workflow'").first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the recording' }).click();
    const recording = await (await downloading).path();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.getByRole('img', { name: /^Sampler: done, [\d.]+ m?s$/u }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Times' }).click();
    const time = page.getByRole('row', { name: /^Sampler/u }).locator('.waterfall-time');
    const took = await time.innerText();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.reload();
    await page.getByRole('link', { name: /^Text to image: open/u }).click();
    await page.getByRole('tab', { name: 'Times' }).click();
    await expect.poll(() => time.innerText()).toBe(took);

    await page.getByRole('tab', { name: 'Look inside' }).click();
    const { recording: buffer, share } = await spread(recording);
    const file = { name: 'job.events.jsonl', mimeType: 'application/x-ndjson', buffer };
    await page.locator('.inspect-tools input[type=file]').setInputFiles(file);
    const events = page.locator('.events li');
    await expect.poll(() => events.count()).toBeGreaterThan(2);
    const moment = page.getByRole('slider', { name: 'Moment' });
    await moment.fill('0');
    await expect.poll(() => events.count()).toBe(1);
    // All of the stage is that of the moment: the first picture comes while the sampler runs.
    await moment.fill(String(share));
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.getByRole('img', { name: 'Sampler: running' }).waitFor();
    await page.getByRole('img', { name: 'Save: not yet' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('img', { name: /^Sampler: done/u }).waitFor();
    await expect.poll(() => moment.inputValue(), patience).toBe('1');
    await page.getByRole('button', { name: 'Back to the job' }).click();
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.getByRole('img', { name: /^Result of/u }).waitFor();
    expect(errors).toEqual([]);
  }, 240_000);

  it('cancels one and all, says in words why a job failed, and puts its inputs on the bench again', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 0.1 } });
    const { page, errors, emulator } = studio;
    await open(page, /^Text to image/u);
    await page.getByLabel('Times', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Run 3 jobs' }).click();
    await page.getByRole('heading', { name: 'Queue (3)' }).waitFor();
    await expect.poll(() => emulator.ledger.jobs.length, patience).toBe(3);
    await page.getByRole('button', { name: 'Cancel Text to image' }).first().click();
    await page.getByRole('heading', { name: 'Queue (2)' }).waitFor();
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await expect.poll(() => page.getByRole('heading', { name: /^Queue \(/u }).count()).toBe(0);
    expect(new Set(emulator.ledger.jobs.map(({ state }) => state))).toEqual(new Set(['cancelled']));

    await page.goto(`${studio.address}#/job/5b1f0f6e-0000-4000-8000-000000000000`);
    await page.getByRole('alert').getByText('This job can’t be shown').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // It is no job of the queue, neither now nor after a reload.
    await page.getByRole('link', { name: /^Create/u }).click();
    await page.getByText('Nothing waits or runs.').waitFor();
    expect(await page.locator('.queued').count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: /^Text to image/u }).click();
    await page.getByText('Nothing waits or runs.').waitFor();
    expect(await page.locator('.queued').count()).toBe(0);
    // Of an address that leads nowhere the browser's own log tells as well.
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  }, 240_000);

  it('shares jobs with another tab, and loses nothing when its connections are cut', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 1 } });
    const { page, openTab, emulator } = studio;
    await open(page, /^Text to image/u);
    const other = await openTab();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await other.getByRole('button', { name: 'Cancel Text to image' }).waitFor();
    studio.cut();
    await expect.poll(() => emulator.ledger.jobs.map(({ state }) => state), patience).toEqual(['completed']);
    for (const tab of [page, other]) await tab.getByRole('link', { name: /^Text to image: open/u }).waitFor();
  }, 240_000);
});
