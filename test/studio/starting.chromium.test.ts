import { type ChildProcess, spawn } from 'node:child_process';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { startEmulator } from '../../src/emulator.js';

/** A command of the installed package, and what it has printed. */
interface Running extends AsyncDisposable {
  /** The address that it prints. */
  readonly address: string;
  /** What it has said of it on standard error. */
  readonly told: (text: string) => Promise<void>;
}

/** Without an address of the environment, so that the command has those of its flags. */
const plainEnv = { PATH: process.env['PATH'] ?? '' };

describeWith('Chromium', findProgram('chromium'), (executablePath) => {
  let project: Consumer;
  beforeAll(async () => {
    project = await consumer();
  });
  afterAll(() => project[Symbol.asyncDispose]());

  const start = async (args: readonly string[], env: Record<string, string> = {}): Promise<Running> => {
    const command = join(project.folder, 'node_modules', 'promptwire', 'dist', 'cli', 'main.js');
    const child: ChildProcess = spawn(process.execPath, [command, ...args, '--port', '0'], {
      cwd: project.folder,
      env: { ...plainEnv, ...env, PROMPTWIRE_STATE_DIR: join(project.folder, 'state') },
    });
    const printed = { out: '', err: '' };
    child.stdout?.on('data', (bytes: Buffer) => (printed.out += bytes.toString()));
    child.stderr?.on('data', (bytes: Buffer) => (printed.err += bytes.toString()));
    await expect.poll(() => printed.out).toMatch(/ (?:at|on) http:\S+\n/u);
    return {
      address: /http:\S+/u.exec(printed.out)?.[0] ?? '',
      told: (text) => expect.poll(() => printed.err).toContain(text),
      [Symbol.asyncDispose]: async () => {
        child.kill();
        if (child.exitCode === null) await once(child, 'exit');
      },
    };
  };

  const withPage = async (address: string, see: (page: Page) => Promise<void>): Promise<void> => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
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
