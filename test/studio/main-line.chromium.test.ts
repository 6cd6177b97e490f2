import { expect, it } from 'vitest';
import { accessibilityProblems, openStudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('runs a shipped workflow, shows its picture as it grows, and keeps the result over a reload', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 1 } });
    const { page, errors } = studio;
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /^Text to image/u }).click();
    await page.getByLabel('Prompt', { exact: true }).fill('a lighthouse at dusk');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
    await page.reload();
    // The job is under way still, and can be taken up again.
    await page.getByRole('button', { name: 'Cancel Text to image' }).waitFor();
    await page.getByRole('link', { name: /^Text to image: open/u }).waitFor();
    await page.getByRole('link', { name: 'Gallery' }).click();
    const picture = page.locator('.gallery img');
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(errors).toEqual([]);
  }, 240_000);

  it('signs in by a token, which stays in the tab, below the path of a proxy', async () => {
    await using studio = await openStudioPage(chromium, {
      tokens: { ada: 'token-of-ada-lovelace', bob: 'token-of-bob-the-builder' },
      gateway: { mount: '/comfy' },
    });
    const { page, openTab, address } = studio;
    await page.getByLabel('Token').fill('a-wrong-token-of-mine');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('does not accept').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Token').fill('token-of-ada-lovelace');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Text to image/u }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('img', { name: 'Result of Text to image' });
    await expect.poll(() => result.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
    expect(page.url()).toBe(address);

    const other = await openTab();
    await other.getByLabel('Token').fill('token-of-bob-the-builder');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('What your jobs make will be here.').waitFor();
    const shown = await page.content();
    for (const secret of ['token-of', studio.emulator.apiKey]) expect(shown).not.toContain(secret);
  }, 240_000);
});
