import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle, write } from '../../scripts/bundle.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the scripts of the package in `dist`, and `bundle.json`: what esbuild says of them, and the bundled packages. */
    readonly builtPackage: string;
  }
}

/** Builds the package for a run. Every project that installs it calls this, and the first one builds it for all. */
export default async ({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const root = vitest.getRootProject();
  if ('builtPackage' in root.getProvidedContext()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-package-'));
  root.provide('builtPackage', folder);
  await build(folder);
  // The sources may have changed since the run before.
  vitest.onTestsRerun(() => build(folder));
  return () => rm(folder, { recursive: true, force: true });
};

const build = async (folder: string): Promise<void> => {
  // Declarations are made when a test asks for them (`consumer`).
  for (const name of ['declarations', 'declared'])
    await rm(join(folder, name), { recursive: true, force: true });
  const { files, metafile, used } = await bundle();
  write(files, join(folder, 'dist'));
  await writeFile(join(folder, 'bundle.json'), JSON.stringify({ metafile, packages: [...used.keys()] }));
};
