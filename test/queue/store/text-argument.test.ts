import { expect, it } from 'vitest';
import { textArgument } from '../../../src/server/queue/store/text-argument.js';

it.each([
  ['a small text at once', 'ä'.repeat(1_000), 0],
  ['a large one in a turn of its own, to be sent in another one', 'ä'.repeat(300_000), 2],
])('encodes %s', async (_, text, turns) => {
  let passed = 0;
  const count = (): void => {
    passed += 1;
    timer = setTimeout(count);
  };
  let timer = setTimeout(count);
  const argument = await textArgument(text);
  clearTimeout(timer);
  expect(argument).toEqual(Buffer.from(text));
  expect(passed).toBe(turns);
});
