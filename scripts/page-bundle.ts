import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What a page loads to run a job. */
export interface PageBundle {
  /** The minified script, with everything that it needs. */
  readonly code: Uint8Array;
  /** Minified bytes by package, and of ours by folder of `src`, the largest first. */
  readonly parts: readonly (readonly [name: string, bytes: number])[];
}

const root = new URL('../', import.meta.url);

/** The program of the page. */
export const programOfPage = (entry: URL): string => `
  import { createClient } from ${JSON.stringify(fileURLToPath(entry))};
  createClient({ baseUrl: 'https://service.example' }).run({}).subscribe(console.log);
`;

/**
 * Bundles a program that makes a client and runs a job, for a browser.
 *
 * @param entry - The browser entry: of `dist` for the whole, of `src` for what its parts are.
 * @param conditions - Export conditions besides the usual ones of a bundler.
 */
export const bundlePage = async (entry: URL, conditions: readonly string[] = []): Promise<PageBundle> => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: programOfPage(entry),
      resolveDir: fileURLToPath(root),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    ...(conditions.length > 0 && { conditions: ['module', ...conditions] }),
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const parts = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      parts.set(partOf(path), (parts.get(partOf(path)) ?? 0) + bytesInOutput);
    }
  }
  return {
    code: outputFiles[0]?.contents ?? new Uint8Array(),
    parts: [...parts].toSorted(([, one], [, other]) => other - one),
  };
};

const partOf = (path: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ??
  `promptwire ${/(?:^|\/)src\/([^/]+)\//.exec(path)?.[1] ?? 'entry'}`;
