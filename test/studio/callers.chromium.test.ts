import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { leaksIn } from '../helpers/canary.js';
import { recordingProxy } from './helpers/recording-proxy.js';
import { startCommand } from './helpers/studio-command.js';
import { startEmulator } from '../../src/emulator.js';

const key = 'a-service-key-that-no-page-may-have';
const tokens = { ada: 'a-token-of-ada-lovelace', bob: 'another-token-of-bob' };

interface Listed {
  readonly jobs: readonly { readonly id: string; readonly files: readonly { readonly url: string }[] }[];
}

const signIn = async (browser: Browser, address: string, token: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Pick a workflow' }).waitFor();
  return page;
};

const runOnce = async (page: Page, prompt: string): Promise<void> => {
  await page.getByRole('button', { name: /^Text to image/u }).click();
  const values = { Prompt: prompt, Width: '64', Height: '64', Steps: '2' };
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Done', { exact: true }).waitFor();
  await page.locator('.strip a').first().waitFor();
};

describeWith('Chromium', findProgram('chromium'), (executablePath) => {
  let project: Consumer;
  let browser: Browser;
  beforeAll(async () => {
    project = await consumer();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await project[Symbol.asyncDispose]();
  });

  /** The studio as a gateway with two callers. */
  const serve = async () => {
    const emulator = await startEmulator({ speed: 100, acceptKeys: [key] });
    const command = await startCommand(project, ['serve', '--studio'], {
      PROMPTWIRE_BASE_URL: emulator.baseUrl,
      PROMPTWIRE_WS_URL: emulator.wsUrl,
      PROMPTWIRE_API_KEY: key,
      PROMPTWIRE_GATEWAY_TOKENS: Object.entries(tokens)
        .map((pair) => pair.join(':'))
        .join(','),
    });
    return {
      address: new URL('/', command.address).href,
      [Symbol.asyncDispose]: async () => {
        await command[Symbol.asyncDispose]();
        await emulator.close();
      },
    };
  };

  it('shows nothing of another caller: no job, no file, no word of the stream, and no address that leads there', async () => {
    await using studio = await serve();
    await using toAda = await recordingProxy(studio.address);
    await using toBob = await recordingProxy(studio.address);
    const ada = await signIn(browser, toAda.address, tokens.ada);
    const bob = await signIn(browser, toBob.address, tokens.bob);
    await runOnce(ada, 'what Ada alone may see');
    const asCaller = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const listed = await ada.request.get(`${studio.address}jobs`, asCaller(tokens.ada));
    const [job, ...others] = ((await listed.json()) as Listed).jobs;
    expect(others).toEqual([]);
    const { id, files } = job!;

    // His own job comes by the same list and stream, after hers.
    expect(await bob.locator('.strip a').count()).toBe(0);
    await runOnce(bob, 'what Bob alone may see');
    expect(await bob.locator('.strip a').count()).toBe(1);
    for (const page of [ada, bob]) {
      await page.getByRole('link', { name: 'Gallery' }).click();
      await page.getByText('1 result', { exact: true }).waitFor();
    }
    await bob.reload();
    await bob.getByText('1 result', { exact: true }).waitFor();
    expect(toBob.received()).not.toContain(id);
    expect(toBob.received()).not.toContain('what Ada alone');
    // What she gets is seen on the way, so the check can fail.
    expect(toAda.received()).toContain(id);

    await bob.goto(`${toBob.address}#/job/${id}`);
    await bob.getByRole('alert').getByText('This job can’t be shown').waitFor();
    expect(await bob.getByRole('img', { name: /^Result of/u }).count()).toBe(0);
    const addresses = [
      `jobs/${id}`,
      `jobs/${id}/events`,
      `api/v2/jobs/${id}/workflow`,
      ...files.map(({ url }) => url),
    ];
    expect(files).toHaveLength(1);
    for (const address of addresses) {
      const url = new URL(address, studio.address).href;
      const statusOf = async (options = {}) => (await bob.request.get(url, options)).status();
      expect([address, await statusOf(asCaller(tokens.bob))]).toEqual([address, 404]);
      expect([address, await statusOf()]).toEqual([address, 401]);
      expect([address, await statusOf(asCaller(tokens.ada))]).toEqual([address, 200]);
    }
    const deleting = await bob.request.delete(`${studio.address}jobs/${id}`, asCaller(tokens.bob));
    expect(deleting.status()).toBe(404);
    await ada.reload();
    await ada.getByText('1 result', { exact: true }).waitFor();
  }, 240_000);

  it('gives the key of the service to no page: not by an answer, a header, a store or the document', async () => {
    await using studio = await serve();
    await using proxy = await recordingProxy(studio.address);
    const page = await signIn(browser, proxy.address, tokens.ada);
    const documents: string[] = [];
    const see = async (): Promise<void> => void documents.push(await page.content());
    await runOnce(page, 'a lighthouse without a key');
    for (const tab of ['Graph', 'Times', 'Look inside']) {
      await page.getByRole('tab', { name: tab }).click();
      await see();
    }
    await page.getByText("from 'promptwire/workflow'").first().waitFor();
    await see();
    await page.getByRole('link', { name: 'Gallery' }).click();
    await page.locator('.cell button').first().click();
    await page.getByRole('button', { name: 'Close' }).waitFor();
    await see();
    await page.goto(`${proxy.address}#/job/5b1f0f6e-0000-4000-8000-000000000000`);
    await page.getByRole('alert').getByText('This job can’t be shown').waitFor();
    await see();
    const stores = await page.evaluate(async () =>
      JSON.stringify([
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        document.cookie,
        await indexedDB.databases(),
        await caches.keys(),
      ]),
    );
    const seen = { answers: proxy.received(), documents: documents.join('\n'), stores };
    for (const [where, text] of Object.entries(seen))
      expect([where, leaksIn(text, key)]).toEqual([where, []]);
    // What is there is found.
    expect(seen.answers).toContain('a lighthouse without a key');
    expect(leaksIn(seen.stores, tokens.ada)).toContain('raw');
    expect(leaksIn(`${seen.answers}${Buffer.from(key).toString('base64')}`, key)).not.toEqual([]);
  }, 240_000);
});
