import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { alertOf, opened, patience, press, shownBy, submit } from './recipe-page.js';
import { type BrowserPage, startBrowser } from '../helpers/browser.js';
import { describeWith, findInstalled, findProgram } from '../helpers/describe-with.js';
import { startPageServer } from './page-server.js';
import { startEmulator } from '../../src/emulator.js';

const root = join(import.meta.dirname, '..', '..');

/** Builds the page of React into one file. */
const buildPage = async (packages: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'page.js');
  await build({
    entryPoints: [join(root, 'docs', 'recipes', 'page', 'react.tsx')],
    ...{ bundle: true, outfile, format: 'esm', platform: 'browser', jsx: 'automatic', minify: true },
    alias: {
      'promptwire/remote': join(root, 'src', 'remote.ts'),
      'promptwire/react': join(root, 'src', 'react.ts'),
      ...{ react: join(packages, 'react'), 'react-dom': join(packages, 'react-dom') },
    },
  });
  return outfile;
};

/** How many pictures the page lists that were made before. */
const listedBy = (page: BrowserPage): Promise<number> =>
  page.evaluate<number>(
    `[...document.querySelectorAll('button img')].filter((one) => one.naturalWidth > 0).length`,
  );

describeWith('React', findInstalled('react/package.json'), (manifest) => {
  describeWith('Chromium', findProgram('chromium'), (chromium) => {
    it('submits, watches, reloads in mid-job, loses the network, shows the job in two tabs and stops one', async () => {
      await using emulator = await startEmulator({ speed: 0.3 });
      await using server = await startPageServer(await buildPage(dirname(dirname(manifest))), emulator);
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
      const other = await opened(browser, await page.evaluate<string>('location.href'));
      await expect.poll(async () => (await shownBy(other)).phase, patience).toBe('in_progress');

      await page.setOffline(true);
      await expect.poll(async () => (await shownBy(other)).phase, patience).toBe('completed');
      await page.setOffline(false);
      for (const tab of [page, other]) {
        await expect
          .poll(() => shownBy(tab), patience)
          .toMatchObject({ phase: 'completed', isPictured: true });
      }

      for (const tab of [page, other]) await expect.poll(() => listedBy(tab), patience).toBe(1);

      await submit(other, 'a storm');
      await expect.poll(async () => (await shownBy(other)).phase, patience).toBe('in_progress');
      await press(other, 'Stop');
      await expect.poll(async () => (await shownBy(other)).phase, patience).toBe('cancelled');
      expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed', 'cancelled']);
      expect([page.errors, other.errors]).toEqual([[], []]);
    });

    it('gives each visitor jobs of their own, by a cookie that no one else can make', async () => {
      await using emulator = await startEmulator();
      await using server = await startPageServer(await buildPage(dirname(dirname(manifest))), emulator);
      const cookieOf = async (headers: Readonly<Record<string, string>> = {}) =>
        (await fetch(server.address, { headers })).headers.get('set-cookie')?.split(';', 1)[0];
      const [one, other] = [(await cookieOf())!, (await cookieOf())!];
      expect(await cookieOf({ cookie: one })).toBeUndefined();
      const ask = (path: string, cookie: string, body?: object) =>
        fetch(new URL(path, server.address), {
          headers: { cookie, 'content-type': 'application/json' },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        });
      const submitted = await ask('/templates/picture', one, { inputs: { prompt: 'a lighthouse' } });
      const { id } = (await submitted.json()) as { readonly id: string };
      const statuses = await Promise.all(
        [one, other, one.replace(/.{3}$/u, 'AAA'), ''].map(
          async (cookie) => (await ask(`/jobs/${id}`, cookie)).status,
        ),
      );
      expect(statuses).toEqual([200, 404, 401, 401]);
    });

    it('R1: says in words why the job of its address is not there, and why a submission is refused', async () => {
      await using emulator = await startEmulator({ billing: 'no credits' });
      await using server = await startPageServer(await buildPage(dirname(dirname(manifest))), emulator);
      await using browser = await startBrowser(chromium);
      const page = await opened(browser, `${server.address}#5b1f0f6e-0000-4000-8000-000000000000`);
      await expect.poll(() => alertOf(page), patience).toMatch(/not know|no such|no job/u);
      await submit(page, 'a lighthouse');
      await expect.poll(() => alertOf(page), patience).toMatch(/credit/u);
      expect(await page.evaluate(`document.querySelector('form') !== null`)).toBe(true);
    });
  });
});
