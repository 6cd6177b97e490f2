import { expect, it } from 'vitest';
import { readPattern } from '../../../src/cli/input/read-pattern.js';

it('a pattern of --name is what names of files are made of, as it stands', () => {
  expect(readPattern('{title}-{index}')).toBe('{title}-{index}');
  expect(readPattern('plain')).toBe('plain');
});

it.each(['{titel}', 'a/b', ' '])('a pattern is refused before anything is sent: %j', (pattern) => {
  expect(() => readPattern(pattern)).toThrow(
    expect.objectContaining({
      name: 'UsageError',
      message: expect.stringMatching(/^--name: (?:A pattern|\{titel\} is not known)/u) as string,
    }) as Error,
  );
});
