import { describe, expect, it } from 'vitest';
import { interfaceRows } from '../../src/emulator.js';
import { allCases } from '../../src/testing/conformance/all-cases.js';
import { applies, type ConformanceCase, runCase } from '../../src/testing/conformance/conformance-case.js';
import { emulatorTarget } from './emulator-target.js';
import { conformanceRows } from './rows.js';
import { type ConformanceReport, runConformance } from '../../src/conformance.js';
import type { Target } from '../../src/testing/conformance/target.js';

describe('a row of the interface that is switched off', () => {
  it('is known to suite and emulator alike', () => {
    expect([...interfaceRows].sort()).toEqual([...conformanceRows].sort());
  });

  it.each(interfaceRows)('fails every case that vouches for it: %s', async (row) => {
    await using target = await emulatorTarget({ profile: 'interface', without: [row] }, PATIENCE_MS);
    const cases = allCases.filter((candidate) => candidate.rows?.includes(row) && applies(target, candidate));
    expect(cases.length).toBeGreaterThan(0);
    const open = cases.filter(({ needs = [] }) => needs.length === 0);
    expect(await notFailed(target, open)).toEqual([]);
    const passed: string[] = [];
    for (const candidate of cases) {
      if (!open.includes(candidate) && (await runCase(candidate, target)) === 'passed')
        passed.push(candidate.id);
    }
    expect(passed).toEqual([]);
  });
});

/** What a run of the command's suite tells of these cases where it does not tell that they fail. */
const notFailed = async (target: Target, cases: readonly ConformanceCase[]): Promise<readonly string[]> => {
  if (cases.length === 0) return [];
  const ids = new Set(cases.map(({ id }) => id));
  const { baseUrl, wsUrl, apiKey, profile, tier, patienceMs } = target;
  const all = { budget: 100, exclusive: true, only: [...ids] };
  const report = await runConformance({ baseUrl, wsUrl, apiKey, profile, tier, patienceMs, ...all }).catch(
    (error: unknown) => error,
  );
  // Without node classes there is nothing to play: the run itself is what fails.
  if (report instanceof Error)
    return report.message.includes('gives no node classes') ? [] : [report.message];
  const { verdicts } = report as ConformanceReport;
  return verdicts
    .filter(({ id, result }) => ids.has(id) && result !== 'failed')
    .map(({ id, result, reason = '' }) => `${id} ${result}: ${reason}`);
};

/** What never comes is waited for that long. */
const PATIENCE_MS = 300;
