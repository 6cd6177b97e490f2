import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `npx promptwire init` writes a project that installs, makes a picture and passes its test; it takes the tarball for the name. */
export const checkInit = ({ tarball, run }) => {
  // Not below the consumer's folder, whose packages would stand in for one that the project doesn't name.
  const pictures = mkdtempSync(join(tmpdir(), 'pictures-'));
  try {
    run('npx', ['--no', '--', 'promptwire', 'init', pictures]);
    run('npm', ['install', '--silent', tarball], pictures);
    assert.match(run('npm', ['run', '--silent', 'script'], pictures), /^completed 100 %\nSave .*\.png$/m);
    // Node 24 writes the report for people also where no terminal is.
    assert.match(run('npm', ['test', '--silent'], pictures), /^(?:#|ℹ) pass 1\n(?:#|ℹ) fail 0$/m);
  } finally {
    rmSync(pictures, { recursive: true, force: true });
  }
  return 'the project of npx promptwire init installs, makes a picture and passes its test';
};
