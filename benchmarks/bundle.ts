import { gzipSync } from 'node:zlib';
import { bundlePage } from '../.ci/page-bundle.js';
import type { Benchmark, Row } from './row.js';
import { buildPackage } from './tools/built.js';

/** What a page loads. */
export const bundle: Benchmark = {
  name: 'bundle',
  title:
    'A page that runs a job, minified and compressed by gzip, with everything that it needs. The parts are what each adds to the compressed whole, by their share of the minified code.',
  run: async () => {
    const { code } = await bundlePage(new URL('browser.js', await buildPackage()));
    const whole = gzipSync(code, { level: 9 }).length;
    const { parts } = await bundlePage(new URL('../src/browser.ts', import.meta.url));
    const minified = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
    return [
      { what: 'the whole', unit: 'kB', ours: whole / 1000, target: { atMost: 24 } },
      ...parts.map(([what, bytes]): Row => ({ what, unit: 'kB', ours: (whole * bytes) / minified / 1000 })),
    ];
  },
};
