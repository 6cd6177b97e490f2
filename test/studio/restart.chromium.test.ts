import { expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { openStudioPage } from './helpers/studio-page.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

/** Of a machine that does much else. */
const patience = { timeout: 90_000 };

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('goes on over a restart of the gateway: the job that ran, the templates, and what was made', async () => {
    const data = await mkdtemp(join(tmpdir(), 'studio-'));
    try {
      await using studio = await openStudioPage(chromium, { data, emulator: { speed: 1 } });
      const { page, emulator } = studio;
      await page.getByRole('button', { name: /^Text to image/u }).click();
      for (const size of ['Width', 'Height']) await page.getByLabel(size, { exact: true }).fill('64');
      await page.getByRole('button', { name: 'Choose inputs, and save as a template' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Kept over a restart');
      await page.getByRole('button', { name: 'Save as a template' }).click();
      await page.getByText('Kept over a restart is among the workflows now.').waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();

      // The job ends while there is no gateway, and the page says that it waits.
      await studio.restart(async () => {
        await page.getByRole('status').getByText('Reconnecting; your jobs go on').waitFor();
        await expect
          .poll(() => emulator.ledger.jobs.map(({ state }) => state), patience)
          .toEqual(['completed']);
      });
      await page.getByRole('status').getByText('Connected').waitFor();
      await page.getByRole('img', { name: 'Result of Kept over a restart' }).waitFor();

      await page.reload();
      await page.getByRole('button', { name: /^Kept over a restart/u }).waitFor();
      await page.getByRole('link', { name: 'Gallery' }).click();
      await page.getByText('1 result', { exact: true }).waitFor();
      expect(emulator.ledger.jobs).toHaveLength(1);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  }, 240_000);
});
