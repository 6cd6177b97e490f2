import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installed } from './find-program.js';

export { findProgram } from './find-program.js';

/** A file of a package that `.ci/run` installs from npm; undefined where it is not there. */
export const findInstalled = (path: string): string | undefined => {
  const file = installed === undefined ? undefined : join(installed, 'node_modules', path);
  return file !== undefined && existsSync(file) ? file : undefined;
};

/** The packages that `.ci/run` installs from npm into a folder of their own; undefined where it is not there. */
export const installedIn = (folder: string): string | undefined => {
  const packages = installed === undefined ? undefined : join(installed, folder, 'node_modules');
  return packages !== undefined && existsSync(packages) ? packages : undefined;
};

/** Describes what needs a program: without it the tests are skipped under a name that says so, or fail in `.ci/run`. */
export const describeWith = (
  name: string,
  program: string | undefined,
  describes: (program: string) => void,
): void => {
  if (program !== undefined) describe(name, () => describes(program));
  else if (installed === undefined) {
    const reason = `${name} is not installed`;
    console.warn(`${reason}: its tests are skipped`);
    describe.skip(reason, () => describes(''));
  } else it(`${name} is installed`, () => expect(program).toBeDefined());
};
