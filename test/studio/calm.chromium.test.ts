import { expect, it } from 'vitest';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { openStudioPage } from './helpers/studio-page.js';
import { firstValueFrom, ReplaySubject } from 'rxjs';
import type { Page } from 'playwright-core';

/** What of the page moved without an act of a person: by how much, and what. */
interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Watches for shifts of the layout from now on. */
const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shifts: Shift[] = [];
    Object.assign(globalThis, { shifts });
    interface Entry extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Element | null }[];
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        const moved = sources.map(
          ({ node }) => `${node?.nodeName ?? ''}.${node?.getAttribute('class') ?? ''}`,
        );
        if (!hadRecentInput) shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift' });
  });

const shiftsOf = (page: Page): Promise<readonly Shift[]> => page.evaluate('globalThis.shifts');

/** What the page holds once what it no longer needs is gone. */
const heldBy = async (page: Page): Promise<{ readonly heap: number; readonly nodes: number }> => {
  const debug = await page.context().newCDPSession(page);
  await debug.send('Performance.enable');
  for (let turn = 0; turn < 2; turn += 1) await debug.send('HeapProfiler.collectGarbage');
  const { metrics } = await debug.send('Performance.getMetrics');
  await debug.detach();
  const metric = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes') };
};

/** Counts the addresses of pictures that the page has made and not released. */
const countAddresses = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const held = new Set<string>();
    Object.assign(globalThis, { held });
    const [create, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)];
    URL.createObjectURL = (blob) => {
      const url = create(blob);
      held.add(url);
      return url;
    };
    URL.revokeObjectURL = (url) => {
      held.delete(url);
      revoke(url);
    };
  });

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('moves nothing aside while a job runs and ends, on a wide and on a narrow screen', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 2 } });
    const { page, emulator } = studio;
    for (const [width, height] of [
      [1920, 1400],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(studio.address);
      await page.reload();
      await page.getByRole('button', { name: /^Text to image/u }).click();
      await page.getByRole('img', { name: 'Sampler: not yet' }).waitFor();
      const before = emulator.ledger.jobs.length;
      await watchShifts(page);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
      await page.getByText('Done', { exact: true }).waitFor();
      const result = page.getByRole('img', { name: 'Result of Text to image' });
      await expect.poll(() => result.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
      await expect.poll(() => page.locator('.strip a').count()).toBe(before + 1);
      const shifts = await shiftsOf(page);
      expect(
        shifts.reduce((sum, { value }) => sum + value, 0),
        JSON.stringify(shifts),
      ).toBeLessThan(0.01);
    }
  }, 240_000);

  it('shows the last preview of a job until its result is loaded', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 2 } });
    const { page, errors } = studio;
    const loading = new ReplaySubject<true>(1);
    await page.route(/\/outputs\//u, (route) => firstValueFrom(loading).then(() => route.continue()));
    await page.getByRole('button', { name: /^Text to image/u }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
    const result = page.getByRole('img', { name: 'Result of Text to image' });
    const behind = () => result.evaluate((image) => getComputedStyle(image).backgroundImage);
    await result.waitFor();
    expect(await behind()).toContain('blob:');
    loading.next(true);
    await expect.poll(behind, { timeout: 60_000 }).toBe('none');
    expect(errors).toEqual([]);
  }, 240_000);

  it('holds little more after many jobs than after a few, and releases the addresses of its previews', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 100 } });
    const { page, emulator } = studio;
    await countAddresses(page);
    await page.reload();
    await page.getByRole('button', { name: /^Text to image/u }).click();
    for (const size of ['Width', 'Height']) await page.getByLabel(size, { exact: true }).fill('64');
    await page.getByLabel('Steps', { exact: true }).fill('2');
    const run = async (jobs: number): Promise<void> => {
      const before = emulator.ledger.jobs.length;
      await page.getByLabel('Times', { exact: true }).fill(String(jobs));
      await page.getByRole('button', { name: `Run ${jobs} jobs` }).click();
      const ended = () => emulator.ledger.jobs.filter(({ state }) => state === 'completed').length;
      await expect.poll(ended, { timeout: 120_000 }).toBe(before + jobs);
      await expect.poll(() => page.getByRole('heading', { name: /^Queue \(/u }).count()).toBe(0);
    };
    await run(20);
    const few = await heldBy(page);
    await run(100);
    const many = await heldBy(page);
    // A job is its states, its workflow and a line of the gallery: some kilobytes, and no elements of the page.
    expect((many.heap - few.heap) / 100).toBeLessThan(50_000);
    expect(many.nodes).toBeLessThan(few.nodes * 1.5);
    expect(await page.evaluate('globalThis.held.size')).toBeLessThanOrEqual(2);
  }, 240_000);
});
