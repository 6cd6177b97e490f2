import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/entries.mjs';

const versionOf = (name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

/** Packs the package and installs it in an empty project, with its peer, as a user would. */
export const makeProject = () => {
  const folder = mkdtempSync(join(tmpdir(), 'consumer-'));
  const run = (command, args, cwd = folder) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let tarball;
  try {
    const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], root);
    tarball = join(folder, packed.trim().split('\n').at(-1));
    writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
    run('npm', ['install', '--silent', tarball, `rxjs@${versionOf('rxjs')}`]);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, tarball, run, remove };
};
