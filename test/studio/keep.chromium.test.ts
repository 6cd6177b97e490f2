import { expect, it } from 'vitest';
import { accessibilityProblems, openStudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('saves chosen inputs as a template, which a reload keeps, runs it, and deletes it and its job', async () => {
    await using studio = await openStudioPage(chromium);
    const { page, errors, emulator } = studio;
    await page.getByRole('button', { name: /^Text to image/u }).click();
    await page.getByRole('button', { name: 'Choose inputs, and save as a template' }).click();
    await page.getByLabel('Name', { exact: true }).fill('夜景 / night views');
    await page.getByRole('checkbox', { name: /Negative/u }).uncheck();
    await page.getByLabel(/^Label of Prompt/u).fill('Что рисовать');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save as a template' }).click();
    await page.getByText('夜景 / night views is among the workflows now.').waitFor();

    await page.reload();
    await page.getByRole('button', { name: /^夜景/u }).click();
    await page.getByLabel('Что рисовать').fill('a harbour by night');
    expect(await page.getByRole('textbox', { name: /^Negative/u }).count()).toBe(0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('img', { name: 'Result of 夜景 / night views' }).waitFor();
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed']);

    await page.getByRole('link', { name: 'Gallery' }).click();
    await page.getByRole('checkbox', { name: /^Choose / }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Really delete the job' }).click();
    await page.getByText('What your jobs make will be here.').waitFor();
    await page.reload();
    await page.getByText('What your jobs make will be here.').waitFor();

    await page.getByRole('link', { name: /^Create/u }).click();
    await page.getByRole('button', { name: 'Delete the template 夜景 / night views' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^夜景/u }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: /^Text to image/u }).waitFor();
    expect(await page.getByRole('button', { name: /^夜景/u }).count()).toBe(0);
    expect(errors).toEqual([]);
  }, 240_000);
});
