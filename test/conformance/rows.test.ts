import { describe, expect, it } from 'vitest';
import { interfaceRows } from '../../src/emulator.js';
import { allCases } from '../../src/conformance/all-cases.js';
import { applies, runCase } from '../../src/conformance/conformance-case.js';
import { emulatorTarget } from './emulator-target.js';
import { conformanceRows } from './rows.js';

describe('a row of the interface that is switched off', () => {
  it('is known to suite and emulator alike', () => {
    expect([...interfaceRows].sort()).toEqual([...conformanceRows].sort());
  });

  it.each(interfaceRows)('fails every case that vouches for it: %s', async (row) => {
    await using target = await emulatorTarget({ profile: 'interface', without: [row] }, PATIENCE_MS);
    const cases = allCases.filter((candidate) => candidate.rows?.includes(row) && applies(target, candidate));
    const passed: string[] = [];
    for (const candidate of cases) {
      if ((await runCase(candidate, target)) === 'passed') passed.push(candidate.id);
    }
    expect(cases.length).toBeGreaterThan(0);
    expect(passed).toEqual([]);
  });
});

/** What never comes is waited for that long. */
const PATIENCE_MS = 300;
