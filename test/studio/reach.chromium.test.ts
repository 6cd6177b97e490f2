import { expect, it } from 'vitest';
import { accessibilityProblems, dropFile, openStudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it.each([
    [360, 740],
    [1024, 768],
    [3840, 2160],
  ])(
    'fits a screen of %d by %d, in both themes, and moves nothing aside',
    async (width, height) => {
      await using studio = await openStudioPage(chromium);
      const { page, errors } = studio;
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await accessibilityProblems(page)).toEqual([]);
      }
      await page.getByRole('button', { name: /^Text to image/u }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.getByRole('link', { name: 'Gallery' }).click();
      await page.getByRole('heading', { name: 'Gallery' }).waitFor();
      expect(await overflow()).toBeLessThanOrEqual(0);
      expect(errors).toEqual([]);
    },
    240_000,
  );

  it('is used by the keyboard alone, from the first view to the result', async () => {
    await using studio = await openStudioPage(chromium);
    const { page, errors } = studio;
    /** Goes on with Tab until the focus is on what has this name. */
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => {
          const element = document.activeElement as HTMLInputElement | null;
          return (
            element?.getAttribute('aria-label') ??
            element?.labels?.[0]?.innerText ??
            element?.textContent ??
            ''
          );
        });
        if (name.test(focused.trim())) return;
      }
      throw new Error(`The keyboard does not reach ${name.source}.`);
    };
    await page.getByRole('button', { name: /^Text to image/u }).waitFor();
    await tabTo(/^Text to image/u);
    await page.keyboard.press('Enter');
    await page.getByLabel('Prompt', { exact: true }).waitFor();
    await tabTo(/^Prompt$/u);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('by the keyboard');
    await tabTo(/^Steps$/u);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('2');
    await tabTo(/^Run$/u);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /^Text to image: open/u }).waitFor();
    await tabTo(/^Text to image: open/u);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Picture' }).waitFor();
    await tabTo(/^Picture$/u);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: /^Sampler: done/u }).waitFor();
    expect(errors).toEqual([]);
  }, 240_000);

  it('runs nothing of a hostile workflow: its texts, titles and names are texts', async () => {
    await using studio = await openStudioPage(chromium);
    const { page, errors } = studio;
    const hostile = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';
    const workflow = {
      1: { class_type: hostile, inputs: { [hostile]: hostile, text: hostile }, _meta: { title: hostile } },
    };
    const bytes = Buffer.from(JSON.stringify(workflow));
    await dropFile(page, '.bring', {
      name: `${hostile.replaceAll('/', '_')}.json`,
      type: 'application/json',
      bytes,
    });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(errors.filter((error) => !/ \(?(?:400|422)|Bad Request|Unprocessable/u.test(error))).toEqual([]);
  }, 240_000);
});
