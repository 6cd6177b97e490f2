import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A page holds rxjs and what goes with it, and loses what it does not use. */
export const checkPage = async ({ folder }) => {
  const bundle = (name) => {
    writeFileSync(join(folder, 'page.mjs'), `export { ${name} } from 'promptwire';`);
    return build({
      entryPoints: [join(folder, 'page.mjs')],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
      logLevel: 'error',
    });
  };
  const inputs = Object.keys((await bundle('createClient')).metafile.inputs);
  const packages = new Set(inputs.flatMap((name) => /node_modules\/([^/]+)\//.exec(name)?.[1] ?? []));
  assert.deepEqual([...packages].toSorted(), [
    'eventsource-parser',
    'promptwire',
    'rxjs',
    'rxjs-for-await',
    'tslib',
  ]);
  const [{ contents: little }] = (await bundle('outputKind')).outputFiles;
  assert.ok(little.length < 500, `${little.length} bytes are left of one function`);
  return `a page holds ${[...packages].join(', ')}, and ${little.length} bytes for one function`;
};
