import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries, root } from '../../scripts/entries.mjs';

const programs = join(import.meta.dirname, 'programs');

/** What each program of `programs` prints: one for each entry or family of entries, and one that requires them. */
const prints = {
  'main.mjs': /^completed Malformed\n$/,
  'promises.mjs': /^completed \d+\n$/,
  'required.cjs': /^true\n$/,
  'emulator.mjs': /^200\n$/,
  // Node 24 writes the report for people also where no terminal is.
  'testing.mjs': /^(?:#|ℹ) pass 4\n(?:#|ℹ) fail 0$/m,
  'examples.mjs': /^6 completed\n$/,
  'pool.mjs': /^completed engine \d \d\n$/,
  'fp.mjs': /^9,10 no such node\n$/,
  'codecs.mjs': /^Right Left true\n$/,
  'gateway.mjs': /^200 401 200\n$/,
  'react.mjs': /^ERR_MODULE_NOT_FOUND Cannot find package 'react' .*\n$/,
  'remote.mjs': /^submitting completed\n$/,
  'conformance.mjs': /^7 passed 0 failed\n$/,
  'mcp.mjs': /^InvalidConfig .*@modelcontextprotocol\/server.*\n$/,
  'queue.mjs': /^InvalidConfig .*bullmq.*\n$/,
  'workflow.mjs': /^\w+ Node 3: .*KSampller.*\n$/,
};

/** Runs them by this Node, whose version it tells. */
export const checkPrograms = ({ folder, run }, node = 'node') => {
  const names = readdirSync(programs);
  assert.deepEqual(names.toSorted(), Object.keys(prints).toSorted());
  for (const { specifier } of entries)
    assert.ok(names.includes(`${specifier.split('/')[1] ?? 'main'}.mjs`), `no program uses ${specifier}`);
  for (const name of names) {
    copyFileSync(join(programs, name), join(folder, name));
    assert.match(run(node, [name]), prints[name], `${node} ${name}`);
  }
  const [, first] = /^```ts\n([^]*?)^```/m.exec(readFileSync(join(root, 'README.md'), 'utf8'));
  writeFileSync(join(folder, 'first.mjs'), first);
  assert.match(
    run(node, ['first.mjs']),
    /^completed 100 %\nSave .*\.png$/m,
    `${node} first.mjs of the README`,
  );
  return `${names.join(', ')} and first.mjs run with Node ${run(node, ['--version']).trim()}`;
};
