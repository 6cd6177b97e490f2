/**
 * Draws docs/guide/page.png, the picture of the page in docs/recipes/page: `node --import tsx scripts/page-picture.ts` where Chromium is
 * installed, and React in the folder that PROMPTWIRE_PROGRAMS names.
 */
import { build } from 'esbuild';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram, installed } from '../test/helpers/find-program.js';
import { startBrowser } from '../test/helpers/browser.js';
import { startEmulator } from '../src/emulator.js';
import { startPageServer } from '../test/outside/page-server.js';

const root = join(import.meta.dirname, '..');
const chromium = findProgram('chromium');
if (chromium === undefined || installed === undefined) throw new Error('Chromium or React is missing.');

const packages = join(installed, 'node_modules');
const folder = await mkdtemp(join(tmpdir(), 'page-picture-'));
const outfile = join(folder, 'page.js');
await build({
  entryPoints: [join(root, 'docs', 'recipes', 'page', 'react.tsx')],
  ...{ bundle: true, outfile, format: 'esm', platform: 'browser', jsx: 'automatic' },
  alias: {
    'promptwire/remote': join(root, 'src', 'remote.ts'),
    'promptwire/react': join(root, 'src', 'react.ts'),
    ...{ react: join(packages, 'react'), 'react-dom': join(packages, 'react-dom') },
  },
});

{
  await using emulator = await startEmulator({ speed: 0.2 });
  await using server = await startPageServer(outfile, emulator);
  await using browser = await startBrowser(chromium);
  const page = await browser.open(server.address);
  const isShown = (expression: string): Promise<boolean> => page.evaluate<boolean>(expression);
  while (!(await isShown(`document.querySelector('form') !== null`))) await wait(50);
  const prompt = 'an island at dusk';
  await page.evaluate(`document.querySelector('input').value = '${prompt}'`);
  await page.evaluate(`document.querySelector('button').click()`);
  while (!(await isShown(`document.querySelector('progress').value > 0.6`))) await wait(50);
  // React clears the form once it is submitted.
  await page.evaluate(`document.querySelector('input').value = '${prompt}'`);
  await writeFile(join(root, 'docs', 'guide', 'page.png'), await page.screenshot());
}
await rm(folder, { recursive: true });
