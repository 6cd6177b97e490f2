import axe from 'axe-core';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/entries.mjs';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { type FileServer, serveFolder } from './file-server.js';

const built = join(root, 'site', 'dist');

/** The site takes minutes and packages of its own: it is built here in `.ci/run` only. */
const isThere = existsSync(join(built, 'index.html')) || process.env['PROMPTWIRE_PROGRAMS'] !== undefined;

/** What somebody new asks, and the page that has the answer. */
const questions: readonly (readonly [question: string, page: RegExp])[] = [
  ['install', /first-steps|index|\/$/u],
  ['api key', /first-steps|cli/u],
  ['show previews', /operators|browser|remote|jobs|react/u],
  ['cancel job', /jobs|cli/u],
  ['websocket reconnect', /connection|how-it-works|protocol/u],
  ['upload image', /files|cli/u],
  ['download results', /files|jobs|promises/u],
  ['progress bar', /operators|react|remote/u],
  ['out of credits', /InsufficientCredits|errors/u],
  ['OutcomeUnknown', /OutcomeUnknown|errors|jobs/u],
  ['test without a service', /test-your-app|testing/u],
  ['React hooks', /react/u],
  ['several servers', /pool/u],
  ['docker redis queue', /many-machines/u],
  ['rate limited', /RateLimited|errors|gateway/u],
  ['convert editor workflow to API format', /workflows|cli|command/u],
  ['set the seed', /promises|forms|workflows-in-code|command|cli/u],
  ['curl', /other-languages|gateway/u],
  ['proxy', /platform|command/u],
  ['exit codes', /cli/u],
];

describeWith('the site and Chromium', isThere ? findProgram('chromium') : undefined, (executablePath) => {
  let browser: Browser;
  let server: FileServer;
  let paths: readonly string[];

  beforeAll(async () => {
    if (!existsSync(join(built, 'index.html')))
      await promisify(execFile)('npm', ['run', 'docs'], { cwd: root, maxBuffer: 2 ** 26 });
    server = await serveFolder(built);
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    paths = readdirSync(built, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map((name) => `/${name.replace(/(^|\/)index\.html$/u, '$1')}`);
  }, 900_000);
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  /**
   * A page of the site, and what its console has said.
   *
   * A page that starts a worker is loaded until its `load` event: a browser may count the requests of a worker as open for ever.
   */
  const open = async (
    path: string,
    waitUntil: 'load' | 'networkidle' = 'networkidle',
  ): Promise<{ page: Page; said: readonly string[] }> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const said: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(String(error)));
    // A page that is closed breaks off what it still asks for.
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') said.push(`${request.url()} failed`);
    });
    // A browser beside other tests may take long to fall silent.
    page.setDefaultTimeout(120_000);
    await page.goto(`${server.address}${path}`, { waitUntil, timeout: 120_000 });
    return { page, said };
  };

  describe('as a reader walks through it, page by page', () => {
    const visits = new Map<string, Visit>();

    beforeAll(async () => {
      for (const path of paths) {
        server.forget();
        // Each page has a browser of its own, so nothing is in a cache.
        const { page, said } = await open(path);
        const bytes = server.sent();
        const violations = await violationsOf(page);
        const found = await page.evaluate(() => ({
          ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
          links: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href),
        }));
        visits.set(path, { ...found, bytes, violations, said });
        await page.close();
      }
    }, 1_200_000);

    const each = (finding: (visit: Visit) => readonly (string | number)[]): readonly string[] =>
      [...visits].flatMap(([path, visit]) => finding(visit).map((what) => `${path}: ${String(what)}`));

    it('has a page for each page of docs, without an error in the console', () => {
      expect(visits.size).toBeGreaterThan(80);
      expect(each(({ said }) => said)).toEqual([]);
    });

    it('sends at most 120 kB for a page', () => {
      expect(each(({ bytes }) => (bytes > 120_000 ? [bytes] : []))).toEqual([]);
    });

    it('leads only to what is there', () => {
      const wrong = each(({ links }) =>
        links.filter((href) => {
          const to = new URL(href);
          if (to.origin !== server.address) return false;
          const path = decodeURIComponent(to.pathname);
          const target = visits.get(path) ?? visits.get(`${path}.html`);
          if (target === undefined) return !existsSync(join(built, path));
          if (to.hash === '') return false;
          return !target.ids.includes(decodeURIComponent(to.hash.slice(1)));
        }),
      );
      expect([...new Set(wrong)]).toEqual([]);
    });

    it('passes axe', () => {
      expect(each(({ violations }) => violations)).toEqual([]);
    });
  });

  it('passes axe in the dark, on pages with pictures and tables', async () => {
    const { page } = await open('/');
    await page.emulateMedia({ colorScheme: 'dark' });
    const wrong: string[] = [];
    for (const path of ['/', '/cli.html', '/guide/operators.html', '/api/promptwire.html']) {
      await page.goto(`${server.address}${path}`);
      wrong.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
    }
    expect(wrong).toEqual([]);
    await page.close();
  }, 400_000);

  it('finds what somebody new asks, among its first five answers', async () => {
    const { page } = await open('/');
    await page.getByRole('button', { name: 'Search' }).first().click();
    const wrong: string[] = [];
    for (const [question, expected] of questions) {
      // What was found before goes first.
      await page.locator('#localsearch-input').fill('');
      await page.locator('.results a.result').first().waitFor({ state: 'detached' });
      await page.locator('#localsearch-input').fill(question);
      await page.locator(`.results a.result`).first().waitFor();
      const found = await settled(page);
      if (!found.slice(0, 5).some((href) => expected.test(href)))
        wrong.push(`${question}: ${found.slice(0, 5).join(' ')}`);
    }
    expect(wrong).toEqual([]);
    expect(questions).toHaveLength(20);
  }, 300_000);

  describe('its playground', { timeout: 400_000 }, () => {
    const editor = 'section.playground-editor';

    /** The editor of a page as a reader opens it. */
    const openEditor = async (path: string) => {
      const opened = await open(path);
      await opened.page
        .getByRole('button', { name: /^Try it/u })
        .first()
        .click();
      return opened;
    };

    it('is loaded where a reader opens it, runs what it begins with, and passes axe', async () => {
      server.forget();
      const { page, said } = await open('/guide/operators.html');
      expect(server.asked().filter((path) => path.includes('layground'))).toEqual([]);
      await page
        .getByRole('button', { name: /^Try it/u })
        .first()
        .click();
      await page.locator(`${editor} svg circle`).first().waitFor();
      expect(await page.locator(`${editor} li`).count()).toBeGreaterThan(3);
      expect(await violationsOf(page)).toEqual([]);
      expect(said).toEqual([]);
      await page.close();
    });

    it.each([
      ['client.run(workflow).pipe(map(({ phase }) => phase), distinctUntilChanged())', 'in_progress'],
      ['client.run(workflow).pipe(last(), map(({ phase }) => `it has ${phase}`))', 'it has completed'],
      ['interval(100, scheduler).pipe(take(3), map((n) => `tick ${n}`))', 'tick 2'],
    ])('runs %s as it is typed', async (code, shown) => {
      const { page, said } = await openEditor('/guide/jobs.html');
      await page.locator(`${editor} textarea`).fill(code);
      await page.locator(`${editor} li`, { hasText: shown }).first().waitFor();
      // The address has the program: another reader sees the same.
      const address = page.url();
      await page.close();
      const other = await open(address.slice(server.address.length), 'load');
      await other.page.locator(`${editor} li`, { hasText: shown }).first().waitFor();
      expect(await other.page.locator(`${editor} textarea`).inputValue()).toBe(code);
      expect([...said, ...other.said]).toEqual([]);
      await other.page.close();
    });

    it('ends a program that does not end, and runs the next one', async () => {
      const { page, said } = await openEditor('/guide/jobs.html');
      await page.locator(`${editor} textarea`).fill('(() => { for (;;); })()');
      await page.getByRole('alert').filter({ hasText: 'The program did not end' }).waitFor();
      await page.locator(`${editor} textarea`).fill("of('after the loop')");
      await page.locator(`${editor} li`, { hasText: 'after the loop' }).first().waitFor();
      expect(said).toEqual([]);
      await page.close();
    });

    it('says what is wrong with a program', async () => {
      const { page, said } = await openEditor('/guide/jobs.html');
      await page.locator(`${editor} textarea`).fill('client.run(workflow).pipe(mapp(({ phase }) => phase))');
      await page.getByRole('alert').filter({ hasText: 'mapp is not defined' }).waitFor();
      expect(said).toEqual([]);
      await page.close();
    });
  });

  it('has each page as Markdown, and lists of them for programs', async () => {
    for (const name of [
      'llms.txt',
      'llms-full.txt',
      'guide/jobs.md',
      'cli.md',
      'api/pool.md',
      'errors/Timeout.md',
    ])
      expect((await (await fetch(`${server.address}/${name}`)).text()).length).toBeGreaterThan(200);
    const list = await (await fetch(`${server.address}/llms.txt`)).text();
    const pages = [...list.matchAll(/\]\(([^)]+\.md)\)/gu)].map(([, path = '']) => path);
    expect(pages.length).toBe(paths.length);
    for (const path of pages) expect(existsSync(join(built, path)), path).toBe(true);
  });
});

/** What a reader meets on a page. */
interface Visit {
  readonly said: readonly string[];
  /** Sent for the page, compressed, without pictures. */
  readonly bytes: number;
  readonly ids: readonly string[];
  readonly links: readonly string[];
  readonly violations: readonly string[];
}

/** The results of the search once they stay as they are. */
const settled = async (page: Page): Promise<readonly string[]> => {
  const read = (): Promise<string[]> =>
    page
      .locator('.results a.result')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  let before = await read();
  await expect
    .poll(
      async () => {
        const now = await read();
        const isSame = now.join() === before.join();
        before = now;
        return isSame;
      },
      { interval: 300 },
    )
    .toBe(true);
  return before;
};

/**
 * What axe has against a page, but for the words of the theme that the site does not choose.
 *
 * The theme names its switch of appearance once the page is hydrated, which a busy machine may do after the network is idle.
 */
const violationsOf = async (page: Page): Promise<readonly string[]> => {
  await page.locator('.VPSwitchAppearance[title=""]').first().waitFor({ state: 'detached' });
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 140) ?? ''}`);
};
