// Builds the site into site/dist, or serves it with --serve and follows changes of docs. Installs what it needs into this folder.
import { execFileSync } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../scripts/entries.mjs';
import { writePage, writePages } from './pages.mjs';
import { writeParts } from './parts.mjs';
import { writeReference } from './reference.mjs';
import { writeTextFiles } from './text-files.mjs';

const site = import.meta.dirname;

if (!existsSync(join(site, 'node_modules', 'vitepress')))
  execFileSync('npm', ['ci', '--no-fund', '--no-audit'], { cwd: site, stdio: 'inherit' });

writePages();
writeReference();
writeParts();
const { build, createServer } = await import('vitepress');
if (process.argv.includes('--serve')) {
  const server = await createServer(site);
  await server.listen();
  server.printUrls();
  watch(join(root, 'docs'), { recursive: true }, (_, name) => {
    if (name !== null) writePage(posix.join('docs', name.replaceAll('\\', '/')));
  });
} else {
  await build(site);
  writeTextFiles(join(site, 'dist'));
}
