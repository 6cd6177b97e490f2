import { emulated, failing, submit } from '../helpers/emulated.js';
import { describe, expect, it } from 'vitest';
import { lastValueFrom } from 'rxjs';
import { readFileSync } from 'node:fs';

const guide = readFileSync('docs/guide/testing.md', 'utf8');
const table = guide.slice(guide.indexOf('### Exception types')).split('\n## ', 1).join('');
const listed = [...table.matchAll(/^\| `(\w+)` +\|/gmu)]
  .map(([, name = '']) => name)
  .filter((name) => name !== 'exception_type');

describe('the table of exception types in the guide', () => {
  it('R4 has nine of them', () => {
    expect(listed).toHaveLength(9);
  });

  it.each(listed)('R4 names what the emulator fails with: %s', async (type) => {
    const { client } = await emulated();
    const last = await lastValueFrom((await submit(client, failing(type))).states);
    expect([last.phase, last.failure?.exceptionType]).toEqual(['failed', type]);
  });
});
