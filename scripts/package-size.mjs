// Packs what is built, without writing it, and fails where it has become too much to install.
import { execFileSync } from 'node:child_process';
import { root } from './entries.mjs';

const limits = { files: 379, kilobytes: 1341 };

const [{ size, entryCount }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root, encoding: 'utf8' }),
);
const kilobytes = size / 1000;

console.log(
  `${entryCount} files of at most ${limits.files}, ${kilobytes.toFixed(1)} kB packed of at most ${limits.kilobytes}`,
);
if (entryCount > limits.files || kilobytes > limits.kilobytes) process.exitCode = 1;
