import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where `.ci/run` installs what it takes from npm; then no program may be missing. */
export const installed = process.env['PROMPTWIRE_PROGRAMS'];

/** The path of a program, as a shell finds it; undefined where there is none. */
export const findProgram = (name: string): string | undefined =>
  [
    ...(installed === undefined ? [] : [join(installed, 'node_modules', '.bin')]),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
