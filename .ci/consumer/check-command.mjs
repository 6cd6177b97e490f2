import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `npx promptwire demo` leaves pictures, with what is installed and no network. */
export const checkCommand = ({ folder, run }) => {
  assert.match(run('npx', ['--no', '--', 'promptwire', '--help']), /^Usage: promptwire/m);
  run('npx', ['--no', '--', 'promptwire', 'demo']);
  const pictures = readdirSync(join(folder, 'outputs')).filter((name) => name.endsWith('.png'));
  assert.ok(pictures.length > 0);
  for (const name of pictures)
    assert.equal(readFileSync(join(folder, 'outputs', name)).toString('latin1', 1, 4), 'PNG');
  return `npx promptwire demo saves ${pictures.join(', ')}`;
};
