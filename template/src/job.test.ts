// A test of the whole way, against an emulator without delays. Run it by `npm test`.
import assert from 'node:assert/strict';
import { createClient } from 'promptwire/promises';
import { startEmulator } from 'promptwire/emulator';
import { test } from 'node:test';
import { workflow } from './workflow.js';

void test('a prompt becomes a picture', async () => {
  await using emulator = await startEmulator({ speed: Infinity });
  await using client = createClient(emulator);
  const inputs = { 'Prompt.text': 'a lighthouse', 'Size.width': 64, 'Size.height': 64, 'Sampler.steps': 2 };
  const { files } = await client.generate(workflow, { inputs });

  assert.deepEqual(
    files.map(({ title, mediaType }) => [title, mediaType]),
    [['Save', 'image/png']],
  );
  assert.equal(emulator.ledger.jobs.length, 1);
});
