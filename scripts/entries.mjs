// The entries of the package, as `exports` and `bin` of package.json list them: what builds, describes or checks the package asks here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** `emulator` of `./dist/emulator.js`: the module in src, and what it becomes in dist. */
const moduleOf = (file) => /^\.\/dist\/(.+)\.js$/.exec(file)[1];

/** The modules of an export: one, or one for each condition, such as `node`. */
const modulesOf = ({ default: file, ...conditions }) =>
  typeof file === 'string' ? [moduleOf(file)] : [...Object.values(conditions), file].flatMap(modulesOf);

/** The entries with a public surface, by the name that a program imports. */
export const entries = Object.entries(manifest.exports)
  .filter(([name]) => name !== './package.json')
  .map(([name, target]) => {
    const specifier = name.replace(/^\./, manifest.name);
    return {
      specifier,
      modules: modulesOf(target),
      declared: modulesOf(target).length > 1 ? 'index' : modulesOf(target)[0],
      reported: modulesOf(target.node ?? target)[0],
      report: `${specifier.replaceAll('/', '-')}.api.md`,
    };
  });

export const commands = Object.values(manifest.bin).map(moduleOf);

/** Everything that dist has as a file of its own. */
export const modules = [...entries.flatMap((entry) => entry.modules), ...commands];
