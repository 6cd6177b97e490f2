import { describe, expect, it } from 'vitest';
import { carelessFetches } from './downloads/careless-fetch.js';
import { followTargets } from './s18.js';

describe('a planted bug', () => {
  it.each([
    ['follows wherever it is sent', 'literal'],
    ['looks at the text of an address only', 'name'],
    ['looks at the first of several addresses', 'name among public ones'],
    ['looks at the first of several addresses', 'rebinding'],
  ] as const)('is caught by S18: a client that %s (%s)', async (name, way) => {
    const { counts, problems } = await followTargets({ from: 1, count: 10 }, carelessFetches[name]);
    expect(counts['connections to non-public addresses']).toBeGreaterThan(0);
    expect(problems.filter((problem) => problem.includes(` by ${way}: `))).not.toEqual([]);
    expect(problems[0]).toContain('npm run replay -- S18 --seed ');
  });
});
