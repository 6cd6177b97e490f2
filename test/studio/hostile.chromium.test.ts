import { expect, it } from 'vitest';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { dropFile, openStudioPage } from './helpers/studio-page.js';
import type { Page } from 'playwright-core';

/** It leaves a mark in its page, and one that each page of its origin sees. */
const mark = "globalThis.wasRun=true;localStorage.setItem('wasRun','true')";
const markup = `<img src="x" onerror="${mark}"><script>${mark}</script>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="${mark}"><script>${mark}</script><a href="javascript:${mark}"><rect width="8" height="8"/></a></svg>`;
const html = `<!doctype html><html><body onload="${mark}">${markup}</body></html>`;

/** Scripts in titles, in texts that nodes tell, and in what they save. */
const workflow = {
  1: { class_type: 'TextToSvg', inputs: { text: svg }, _meta: { title: markup } },
  2: {
    ...{ class_type: 'SaveSVGNode', inputs: { svg: ['1', 0], filename_prefix: 'drawn' } },
    _meta: { title: markup },
  },
  3: { class_type: 'SaveText', inputs: { text: html, filename_prefix: '"><script>1</script>' } },
};

interface Listed {
  readonly jobs: readonly {
    readonly files: readonly { readonly url: string; readonly mediaType: string }[];
  }[];
}

const wasRun = (page: Page): Promise<unknown> =>
  page.evaluate("globalThis.wasRun ?? localStorage.getItem('wasRun')");

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('runs no script of titles, texts and results, neither in its page nor in pages of their own', async () => {
    await using studio = await openStudioPage(chromium, { emulator: { speed: 100 } });
    const { page, address, openTab, errors } = studio;
    await dropFile(page, '.bring', {
      name: `${markup.replaceAll('/', '_')}.json`,
      type: 'application/json',
      bytes: Buffer.from(JSON.stringify(workflow)),
    });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Texts of the job' }).getByText(html).waitFor();
    await page.locator('.strip a').nth(1).waitFor();
    for (const tab of ['Graph', 'Times', 'Look inside']) await page.getByRole('tab', { name: tab }).click();
    await page.getByText('createWorkflow').or(page.getByText("from 'promptwire")).first().waitFor();

    await page.getByRole('link', { name: 'Gallery' }).click();
    await page.getByRole('button', { name: /open .*\.svg$/u }).click();
    await expect
      .poll(() => page.locator('.zoom-picture img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(8);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /open .*\.md$/u }).click();
    await page.locator('pre', { hasText: html }).waitFor();
    expect(await wasRun(page)).toBeNull();
    expect(errors).toEqual([]);

    // Each result, and a page that a caller has sent, as the page of a tab.
    const { jobs } = (await (await page.request.get(`${address}jobs`)).json()) as Listed;
    const results = jobs[0]!.files.map(({ url }) => url);
    expect(results).toHaveLength(2);
    const sent = await page.request.post(`${address}uploads?filename=sent.html`, {
      ...{ headers: { 'content-type': 'text/html' }, data: Buffer.from(html) },
    });
    const { asset } = (await sent.json()) as { readonly asset: { readonly id: string } };
    for (const url of [...results, `${address}api/v2/assets/${asset.id}/content`]) {
      const headers = (await page.request.get(url)).headers();
      expect(headers['content-security-policy']).toContain('sandbox');
      expect(headers['x-content-type-options']).toBe('nosniff');
      const tab = await openTab();
      const opened = tab.waitForEvent('download').catch(() => undefined);
      const loaded = await tab.goto(url).catch(() => undefined);
      // What the browser does not show is a download, which runs as little.
      if (loaded === undefined || loaded === null) await opened;
      else expect(await tab.evaluate('globalThis.wasRun')).toBeUndefined();
      await tab.close();
    }
    expect(await wasRun(page)).toBeNull();

    // Without the gateway's headers its scripts do run: the check can fail.
    const bare = await openTab();
    await bare.route(results[0]!, (route) => route.fulfill({ body: svg, contentType: 'image/svg+xml' }));
    await bare.goto(results[0]!);
    await expect.poll(() => wasRun(bare)).toBe(true);
  }, 240_000);
});
