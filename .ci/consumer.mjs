// Packs the package, installs it in an empty folder as a user would, and uses it: ESM, require, the command, a browser bundle.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'consumer-'));
const run = (command, args, cwd = folder) => execFileSync(command, args, { cwd, encoding: 'utf8' });
const ownVersion = (name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
const check = (name, ok) => {
  if (!ok) throw new Error(`consumer check failed: ${name}`);
  console.log(`ok ${name}`);
};

try {
  const tarball = run('npm', ['pack', '--silent', '--pack-destination', folder], root)
    .trim()
    .split('\n')
    .at(-1);
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  run('npm', [
    'install',
    '--silent',
    join(folder, tarball),
    `rxjs@${ownVersion('rxjs')}`,
    `fp-ts@${ownVersion('fp-ts')}`,
  ]);

  const program = `
    import { createClient, decodeFrame } from 'promptwire';
    import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';
    import { lastValueFrom } from 'rxjs';
    const emulator = await startEmulator({ speed: Infinity });
    const client = createClient(emulator);
    const state = await lastValueFrom(client.run(textToImageWorkflow({ width: 64, height: 64, steps: 2 })));
    await client.close();
    await emulator.close();
    console.log(state.phase, decodeFrame('{')._tag);
  `;
  writeFileSync(join(folder, 'program.mjs'), program);
  check('import', run('node', ['program.mjs']).trim() === 'completed Malformed');
  check(
    'require',
    run('node', ['-e', "console.log(typeof require('promptwire').createClient)"]).trim() === 'function',
  );
  check('bin', /promptwire/.test(run(join(folder, 'node_modules/.bin/promptwire'), ['--help'])));

  const { build } = await import(createRequire(join(root, 'package.json')).resolve('esbuild'));
  const bundlePage = (name) => {
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
  const inputs = Object.keys((await bundlePage('createClient')).metafile.inputs);
  const packages = new Set(inputs.map((name) => /node_modules\/([^/]+)\//.exec(name)?.[1]).filter(Boolean));
  check(
    `browser bundle holds rxjs and what goes with it: ${[...packages].join(', ')}`,
    [...packages].every((name) => ['promptwire', 'rxjs', 'rxjs-for-await', 'tslib'].includes(name)),
  );
  const [{ contents: little }] = (await bundlePage('outputKind')).outputFiles;
  check(
    `what is not used is shaken off: ${little.length} bytes are left of one function`,
    little.length < 500,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
