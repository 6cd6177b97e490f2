import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { entries, root } from '../../scripts/entries.mjs';

/** The packages and modules of Node.js that an entry loads, with everything that it needs of src. */
const loadedBy = async (entry: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    entryPoints: [join(root, 'src', `${entry}.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    format: 'esm',
    platform: 'neutral',
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  return [...new Set(output?.imports.map(({ path }) => path))].sort();
};

const ofFunctionalPrograms = /^(?:fp-ts|io-ts)(?:\/|$)/u;

/** A gateway checks its requests by the codecs that its description is made of. */
const byCodecs = ['codecs', 'fp', 'gateway'];

it.each(entries.flatMap(({ modules }) => modules).filter((name) => !byCodecs.includes(name)))(
  '%s loads neither fp-ts nor io-ts',
  async (entry) => {
    expect((await loadedBy(entry)).filter((name) => ofFunctionalPrograms.test(name))).toEqual([]);
  },
);

it('the gateway loads io-ts and no fp-ts', async () => {
  expect((await loadedBy('gateway')).filter((name) => ofFunctionalPrograms.test(name))).toEqual(['io-ts']);
});

it('the codecs load io-ts and nothing else', async () => {
  expect(await loadedBy('codecs')).toEqual(['io-ts']);
});

it('the functions for fp-ts load its modules one by one', async () => {
  expect(await loadedBy('fp')).toEqual(['fp-ts/lib/TaskEither.js', 'fp-ts/lib/function.js']);
});
