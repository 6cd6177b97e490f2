import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { listenForErrors } from './helpers/studio-page.js';
import { startCommand } from './helpers/studio-command.js';
import { startEmulator } from '../../src/emulator.js';

describeWith('Chromium', findProgram('chromium'), (executablePath) => {
  let project: Consumer;
  beforeAll(async () => {
    project = await consumer();
  });
  afterAll(() => project[Symbol.asyncDispose]());

  const start = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
    startCommand(project, args, env);

  const withPage = async (address: string, see: (page: Page) => Promise<void>): Promise<void> => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      listenForErrors(page, errors);
      await page.goto(address);
      await see(page);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  };

  const runOnce = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /^Text to image/u }).click();
    for (const [label, value] of Object.entries({ Width: '64', Height: '64', Steps: '2' }))
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Done', { exact: true }).waitFor();
  };

  it('runs jobs on an emulator in its process where nothing names a service, and says so', async () => {
    await using studio = await start(['studio']);
    await studio.told('Its jobs run on an emulator in this process.');
    await withPage(studio.address, async (page) => {
      await page.getByText('on an emulator in this process').waitFor();
      await runOnce(page);
      // The files that these name are there.
      for (const workflow of [/^Upscale/u, /^Audio/u]) {
        await page.getByRole('button', { name: 'Change', exact: true }).click();
        await page.getByRole('button', { name: 'All workflows' }).click();
        await page.getByRole('button', { name: workflow }).click();
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        await page.getByText('Done', { exact: true }).waitFor();
      }
      await expect.poll(() => page.locator('.strip a').count()).toBe(3);
    });
  }, 240_000);

  it('works in all its views without a network, and asks no other host than its own', async () => {
    await using studio = await start(['studio']);
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    });
    try {
      const context = await browser.newContext();
      const { host } = new URL(studio.address);
      const foreign: string[] = [];
      const isForeign = (url: URL): boolean => url.host !== host && !/^(?:blob|data):$/u.test(url.protocol);
      await context.route(isForeign, (route) => {
        foreign.push(route.request().url());
        return route.abort();
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const errors: string[] = [];
      listenForErrors(page, errors);
      await page.goto(studio.address);
      await runOnce(page);
      for (const tab of ['Graph', 'Times', 'Look inside']) await page.getByRole('tab', { name: tab }).click();
      await page.getByText("from 'promptwire/workflow'").first().waitFor();
      await page.getByRole('tab', { name: 'Graph' }).click();
      await page.getByRole('img', { name: /^Sampler: done/u }).waitFor();
      await page.getByRole('button', { name: 'Choose inputs, and save as a template' }).click();
      await page.getByRole('link', { name: 'Gallery' }).click();
      await page.locator('.cell button').first().click();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('checkbox', { name: /^Choose / }).check();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as zip' }).click();
      await downloading;
      expect(foreign).toEqual([]);
      expect(errors).toEqual([]);
      // A request to another host would be seen, and get nowhere.
      const other = await context.newPage();
      await other.goto('http://promptwire.example/').catch(() => undefined);
      expect(foreign).toEqual(['http://promptwire.example/']);
    } finally {
      await browser.close();
    }
  }, 240_000);

  it('runs jobs on the service of --base-url, and of the environment, and says which', async () => {
    await using emulator = await startEmulator({ speed: Infinity, dialect: 'local' });
    const { origin } = new URL(emulator.baseUrl);
    await using studio = await start(['studio', '--base-url', emulator.baseUrl, '--dialect', 'local']);
    await studio.told(`Its jobs run on ${origin}.`);
    await withPage(studio.address, async (page) => {
      await page.getByText(`on ${origin}`).waitFor();
      await runOnce(page);
    });
    await using other = await start(['studio'], {
      PROMPTWIRE_BASE_URL: emulator.baseUrl,
      PROMPTWIRE_DIALECT: 'local',
    });
    await other.told(`Its jobs run on ${origin}.`);
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed']);
  }, 240_000);

  it('runs jobs on the servers of --server, says which, and shows what each of them takes', async () => {
    await using one = await startEmulator({ speed: 0.2, dialect: 'local' });
    await using other = await startEmulator({ speed: 0.2, dialect: 'local' });
    const hosts = [one, other].map(({ baseUrl }) => new URL(baseUrl).host);
    const flags = [one, other].flatMap(({ baseUrl }) => ['--server', baseUrl]);
    await using studio = await start(['studio', ...flags]);
    await studio.told(`Its jobs run on 2 servers: ${hosts.join(', ')}.`);
    await withPage(studio.address, async (page) => {
      await page.getByText(`on 2 servers: ${hosts.join(', ')}`).waitFor();
      await page.getByRole('button', { name: /^Text to image/u }).click();
      await page.getByLabel('Times', { exact: true }).fill('3');
      await page.getByRole('button', { name: 'Run 3 jobs' }).click();
      const servers = page.getByRole('list', { name: 'Servers' });
      for (const host of hosts) await servers.getByText(host).waitFor();
      await expect.poll(() => servers.getByText(/1 of 1 running/u).count()).toBe(2);
      await page.getByRole('button', { name: 'Cancel all' }).click();
      await expect.poll(() => servers.getByText(/0 of 1 running/u).count()).toBe(2);
    });
  }, 240_000);

  it('asks for a token where a gateway has callers, and keeps it in the tab alone', async () => {
    await using emulator = await startEmulator({ speed: Infinity });
    await using studio = await start(['serve', '--studio'], {
      PROMPTWIRE_BASE_URL: emulator.baseUrl,
      PROMPTWIRE_WS_URL: emulator.wsUrl,
      PROMPTWIRE_API_KEY: emulator.apiKey,
      PROMPTWIRE_GATEWAY_TOKENS: 'ada:a-token-of-ada-lovelace',
    });
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(studio.address);
      await page.getByLabel('Token', { exact: true }).fill('a-token-of-ada-lovelace');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await runOnce(page);
      await page.reload();
      await page.getByRole('heading', { name: 'Pick a workflow' }).waitFor();
      const second = await context.newPage();
      await second.goto(studio.address);
      await second.getByLabel('Token', { exact: true }).waitFor();
      expect(asked.filter((url) => url.includes('a-token-of-ada'))).toEqual([]);
      expect(page.url()).not.toContain('token');
    } finally {
      await browser.close();
    }
  }, 240_000);
});
