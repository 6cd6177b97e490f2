import { createClient } from '../../../src/node.js';

/** The service that the test started for this program. */
export const client = createClient({
  baseUrl: process.env['SERVICE_URL'] ?? '',
  apiKey: process.env['SERVICE_KEY'] ?? '',
  // Longer than any test would wait: nothing here may depend on its passing.
  lingerMs: 600_000,
});

export const workflow = { 1: { class_type: 'SlowNode', inputs: { steps: 2 } } };

export const say = (word: string): void => {
  process.stdout.write(`${word}\n`);
};
