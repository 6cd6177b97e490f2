import { gzipSync } from 'node:zlib';
import { bundlePage } from '../scripts/page-bundle.js';
import { bundlePageByVite } from '../scripts/page-by-vite.js';
import type { Benchmark, Row } from './row.js';
import { buildPackage } from './tools/built.js';

const weight = (code: Uint8Array): number => gzipSync(code, { level: 9 }).length;

/** What a page loads. */
export const bundle: Benchmark = {
  name: 'bundle',
  title:
    'A page that runs a job, bundled and minified by esbuild and compressed by gzip, with everything that it needs; also with what the guide tells a page to set, which is the condition by which rxjs has its code of this decade, and by Vite. The parts are what each adds to the compressed whole, by their share of the minified code.',
  run: async () => {
    const entry = new URL('browser.js', await buildPackage());
    const { code } = await bundlePage(entry);
    const whole = weight(code);
    const modern = await bundlePage(entry, ['es2015']);
    const byVite = await bundlePageByVite(entry);
    const { parts } = await bundlePage(new URL('../src/browser.ts', import.meta.url));
    const minified = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
    return [
      { what: 'the whole', unit: 'kB', ours: whole / 1000, target: { atMost: 42 } },
      { what: 'with the condition es2015', unit: 'kB', ours: weight(modern.code) / 1000 },
      { what: 'by Vite', unit: 'kB', ours: weight(byVite) / 1000 },
      ...parts.map(([what, bytes]): Row => ({ what, unit: 'kB', ours: (whole * bytes) / minified / 1000 })),
    ];
  },
};
