import { expect, it } from 'vitest';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { openStudioPage } from './helpers/studio-page.js';
import type { Page } from 'playwright-core';

/** Of a machine that does much else. */
const patience = { timeout: 90_000 };

const pick = async (
  page: Page,
  workflow: RegExp,
  values: Readonly<Record<string, string>>,
): Promise<void> => {
  await page.getByRole('button', { name: workflow }).click();
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
};

const small = { Width: '64', Height: '64', Steps: '2' };

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('edits a workflow and runs it again while others wait, each with the inputs of its moment', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 0.1, concurrency: 1 } });
    const { page, errors, emulator } = studio;
    await pick(page, /^Text to image/u, { ...small, Prompt: 'the first one' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => emulator.ledger.jobs.length, patience).toBe(1);
    for (const prompt of ['the second one', 'the third one']) {
      await page.getByLabel('Prompt', { exact: true }).fill(prompt);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
    }
    await page.getByRole('heading', { name: 'Queue (3)' }).waitFor();
    const waiting = page.locator('.queued-state', { hasText: /^number \d+ in the queue/u });
    await expect.poll(() => waiting.count(), patience).toBe(2);
    // What is typed now is of no job yet.
    await page.getByLabel('Prompt', { exact: true }).fill('a later one');
    const submitted = (): readonly (string | undefined)[] =>
      emulator.requests
        .filter(({ method, url }) => method === 'POST' && /\/prompt$/u.test(url))
        .map(({ body }) => /the (?:first|second|third) one|a later one/u.exec(JSON.stringify(body))?.[0]);
    // A job that is not submitted yet has its inputs already.
    await expect.poll(submitted, patience).toEqual(['the first one', 'the second one', 'the third one']);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await expect.poll(() => page.getByRole('heading', { name: /^Queue \(/u }).count(), patience).toBe(0);
    expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('a later one');
    expect(errors).toEqual([]);
  }, 240_000);

  it('says of a job that runs how long it still takes, and less as it goes on', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 0.1 } });
    const { page, errors } = studio;
    await pick(page, /^Text to image/u, { Width: '64', Height: '64', Steps: '30' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const told: number[] = [];
    const left = page.locator('.queued-state');
    await expect
      .poll(async () => {
        const [text = ''] = await left.allInnerTexts();
        const [, many, unit] = /^(?:about )?(\d+) (s|min)(?: to \d+ (?:s|min))? left$/u.exec(text) ?? [];
        if (many !== undefined) told.push(Number(many) * (unit === 'min' ? 60 : 1));
        return told.length > 0 && told.at(-1)! < Math.max(...told) / 2;
      }, patience)
      .toBe(true);
    await page.getByRole('button', { name: 'Cancel Text to image' }).click();
    await page.getByText('Nothing waits or runs.').waitFor();
    expect(errors).toEqual([]);
  }, 240_000);

  it('takes out of one browser what another deletes, and lets the gateway find results by their kind', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 100 } });
    const { page, errors } = studio;
    await pick(page, /^Text to image/u, small);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.strip a').first().waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('button', { name: 'All workflows' }).click();
    await pick(page, /^Text to video/u, { Width: '64', Height: '64', Frames: '5' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.strip a').nth(1).waitFor();

    const elsewhere = await studio.openElsewhere(`${studio.address}#/gallery`);
    await elsewhere.getByText('2 results', { exact: true }).waitFor();
    const asked = elsewhere.waitForRequest((request) => /\/jobs\?.*kind=video/u.test(request.url()));
    await elsewhere.getByRole('combobox', { name: 'Kind' }).selectOption('Video');
    await asked;
    await elsewhere.getByText('1 result', { exact: true }).waitFor();
    await elsewhere.getByRole('button', { name: /^Text to video: open/u }).waitFor();

    await page.getByRole('link', { name: 'Gallery' }).click();
    await page.getByText('2 results', { exact: true }).waitFor();
    await elsewhere.getByRole('checkbox', { name: /^Choose / }).check();
    await elsewhere.getByRole('button', { name: 'Delete', exact: true }).click();
    await elsewhere.getByRole('button', { name: 'Really delete the job' }).click();
    await elsewhere.getByText('Nothing is like that.').waitFor();
    await page.getByText('1 result', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Text to image: open/u }).waitFor();
    expect(errors).toEqual([]);
  }, 240_000);
});
