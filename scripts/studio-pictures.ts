// Takes the pictures of docs/guide/studio.md from the studio as it runs before an emulator: npm run build, then
//   node --import tsx scripts/studio-pictures.ts [chromium]
// It needs Chromium, and ffmpeg for the film.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';

const [executablePath = '/usr/bin/chromium'] = process.argv.slice(2);
const folder = fileURLToPath(new URL('../docs/guide/studio/', import.meta.url));
const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** The address that the command prints. */
const addressOf = async ({ stdout }: ChildProcess): Promise<string> => {
  let printed = '';
  for await (const chunk of stdout!) {
    printed += String(chunk);
    const [address] = /http:\S+/u.exec(printed) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`The studio ended: ${printed}`);
};

const take = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({ path: `${folder}${name}.jpg`, type: 'jpeg', quality: 78 });

mkdirSync(folder, { recursive: true });
const studio = spawn(process.execPath, [command, 'studio', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const address = await addressOf(studio);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
await page.goto(address);
await page.getByRole('button', { name: /^Text to image/u }).click();
await page.getByRole('button', { name: 'Run over a range of Seed' }).click();
await page.getByLabel('Seed', { exact: true }).fill('1…8');
// The emulator paints in the process that serves the page: small pictures leave it time for both.
for (const side of ['Width', 'Height']) await page.getByLabel(side, { exact: true }).fill('320');
await page.getByRole('button', { name: 'Run 8 jobs' }).click();
await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
const frames = mkdtempSync(join(tmpdir(), 'studio-'));
// From the first preview until the result stands on the stage, and a moment longer.
const result = page.locator('.stage-picture').getByRole('img', { name: /^Result of/u });
const isLoaded = (): Promise<boolean> =>
  result.evaluateAll((all: HTMLImageElement[]) => all.some(({ complete }) => complete));
let taken = 0;
for (let after = 0; after < 3; after += (await isLoaded()) ? 1 : 0) {
  await page.screenshot({ path: join(frames, `${String(taken).padStart(3, '0')}.png`) });
  taken += 1;
  if (/step 1[2-7] of/u.test(await page.locator('.stage-state').innerText())) await take(page, 'run');
  await page.waitForTimeout(350);
}
/** As many are shown, however long it took. */
const mostFrames = 20;
const every = Math.max(1, Math.ceil(taken / mostFrames));
const film = [
  '-framerate',
  '3',
  '-i',
  join(frames, '%03d.png'),
  '-vf',
  `select=not(mod(n-${taken - 1}\\,${every})),setpts=N/3/TB,scale=800:-1`,
  '-loop',
  '0',
  '-q:v',
  '55',
];
execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...film, `${folder}run.webp`]);
rmSync(frames, { recursive: true });
await page.getByRole('tab', { name: 'Graph' }).click();
await page.getByRole('img', { name: /^Sampler: (?:running|done)/u }).waitFor();
await take(page, 'graph');
await page.getByRole('heading', { name: /^Queue \(/u }).waitFor({ state: 'detached', timeout: 300_000 });
await page.getByRole('link', { name: 'Gallery' }).click();
await page.getByText('8 results').waitFor();
// The stream of the page stays open: its network is never idle.
const pictures = page.locator('.cell img');
await pictures.nth(7).waitFor();
await pictures.evaluateAll((all: HTMLImageElement[]) => Promise.all(all.map((one) => one.decode())));
await take(page, 'gallery');
await browser.close();
studio.kill();
await once(studio, 'exit');
