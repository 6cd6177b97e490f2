import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { alertOf, opened, patience, press, shownBy, submit } from './recipe-page.js';
import { buildFrameworkPage, frameworkPages } from './framework-pages.js';
import { describeWith, findInstalled, findProgram } from '../helpers/describe-with.js';
import { startBrowser } from '../helpers/browser.js';
import { startPageServer } from './page-server.js';
import { startEmulator } from '../../src/emulator.js';

describeWith('Vue, Svelte and Angular', findInstalled('vue/package.json'), (manifest) => {
  const packages = dirname(dirname(manifest));

  describeWith('Chromium', findProgram('chromium'), (chromium) => {
    it.each(frameworkPages)(
      'the page of $name submits, watches, reloads in mid-job, stops a job and says what went wrong',
      async (framework) => {
        const folder = await mkdtemp(join(tmpdir(), 'page-'));
        onTestFinished(() => rm(folder, { recursive: true, force: true }));
        const built = join(folder, 'page.js');
        await buildFrameworkPage(framework, packages, built);
        await using emulator = await startEmulator({ speed: 0.3 });
        await using server = await startPageServer(built, emulator);
        await using browser = await startBrowser(chromium);
        const page = await opened(browser, server.address);

        await submit(page, 'a lighthouse');
        await expect.poll(async () => (await shownBy(page)).phase, patience).toBe('in_progress');
        await expect.poll(async () => (await shownBy(page)).isPictured, patience).toBe(true);
        const before = await shownBy(page);
        await page.reload();
        await expect
          .poll(async () => (await shownBy(page)).progress, patience)
          .toBeGreaterThan(before.progress);
        await expect
          .poll(() => shownBy(page), patience)
          .toMatchObject({ phase: 'completed', progress: 1, isPictured: true });

        await submit(page, 'a storm');
        await expect.poll(async () => (await shownBy(page)).phase, patience).toBe('in_progress');
        await press(page, 'Stop');
        await expect.poll(async () => (await shownBy(page)).phase, patience).toBe('cancelled');
        expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed', 'cancelled']);
        expect(page.errors).toEqual([]);

        const stale = await opened(browser, `${server.address}#5b1f0f6e-0000-4000-8000-000000000000`);
        await expect.poll(() => alertOf(stale), patience).toMatch(/not know|no such|no job/u);
      },
    );
  });
});
