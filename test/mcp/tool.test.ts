import { expect, it } from 'vitest';
import { json } from '../../src/server/mcp/tools/tool.js';

it('a result has integers with all their digits, such as the seed of a workflow that came as text', () => {
  expect(json({ workflow: { 1: { inputs: { seed: 2n ** 64n - 1n } } } })).toMatchObject({
    content: [{ text: expect.stringContaining('"seed": 18446744073709551615') as string }],
  });
});
