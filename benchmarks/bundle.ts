import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { Benchmark, Row } from './row.js';
import { buildPackage } from './tools/built.js';

/** What a page loads. */
export const bundle: Benchmark = {
  name: 'bundle',
  title:
    'A page that runs a job, minified and compressed by gzip, with everything that it needs. The parts are what each adds to the compressed whole, by their share of the minified code.',
  run: async () => {
    const { code, metafile } = await bundled(await buildPackage());
    const whole = gzipSync(code, { level: 9 }).length;
    const parts = partsOf(metafile);
    const minified = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
    return [
      { what: 'the whole', unit: 'kB', ours: whole / 1000, target: { atMost: 24 } },
      ...[...parts]
        .toSorted(([, a], [, b]) => b - a)
        .map(([what, bytes]): Row => ({ what, unit: 'kB', ours: (whole * bytes) / minified / 1000 })),
    ];
  },
};

const bundled = async (built: URL): Promise<{ code: Uint8Array; metafile: Metafile }> => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `
        import { createClient } from ${JSON.stringify(fileURLToPath(new URL('browser.js', built)))};
        createClient({ baseUrl: 'https://service.example' }).run({}).subscribe(console.log);
      `,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  });
  return { code: outputFiles[0]?.contents ?? new Uint8Array(), metafile };
};

/** Minified bytes by package, and of ours by folder. */
const partsOf = (metafile: Metafile): ReadonlyMap<string, number> => {
  const parts = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const part = partOf(path);
      parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
    }
  }
  return parts;
};

const partOf = (path: string): string => {
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (dependency !== undefined) return dependency;
  const folder = /temp\/benchmarks\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined ? 'promptwire' : `promptwire ${folder}/`;
};
