import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what the files of one run share. */
    readonly runFolder: string;
  }
}

/** Makes the folder of a run. Every project of the run calls it, and the first one makes the folder for all. */
export default async ({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const root = vitest.getRootProject();
  if ('runFolder' in root.getProvidedContext()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-tests-'));
  root.provide('runFolder', folder);
  const empty = (): Promise<void> => rm(folder, { recursive: true, force: true });
  // The sources may have changed since the run before.
  vitest.onTestsRerun(empty);
  return empty;
};
