import { describe, expect, it } from 'vitest';
import type { HistoryRecord } from '../../src/core/endpoints/history.js';
import type { JobDetail } from '../../src/core/endpoints/job-detail.js';
import {
  type Known,
  outputsVerdict,
  type OutputsVerdict,
  type Reported,
} from '../../src/client/jobs/outputs-verdict.js';
import type { Outputs } from '../../src/core/state/outputs.js';

const file = (filename: string) => ({ filename, subfolder: '', type: 'output' });
const of = (...names: readonly string[]): Outputs =>
  names.length === 0 ? {} : { '9': { images: names.map(file) } };

const final: HistoryRecord = {
  promptId: 'p',
  outputs: {},
  phase: 'completed',
  isFinal: true,
  record: { status: {} },
};
const detailed: JobDetail = { promptId: 'p', status: 'completed', phase: 'completed', outputs: {} };
const record = (outputs: Outputs, more: Partial<HistoryRecord> = {}): Partial<Reported> => ({
  record: { ...final, outputs, ...more },
});
const detail = (outputsCount: number, more: Partial<JobDetail> = {}): Partial<Reported> => ({
  detail: { ...detailed, outputsCount, ...more },
});

/** The verdict over what was told a moment ago of a job in the cloud, of which the socket told nothing. */
const verdict = (told: Partial<Reported>, known: Partial<Known> = {}): OutputsVerdict =>
  outputsVerdict(
    { record: undefined, detail: undefined, steadyMs: 0, ...told },
    { outputs: {}, gapless: false, recordsAppearWhole: false, ...known },
  );

const steady = { steadyMs: 8_000 };
const nearly = { steadyMs: 7_999 };
/** A record that cannot tell whether it is final: one without a status, or with its word alone. */
const thin = [
  { isFinal: false, phase: undefined, record: {} },
  { isFinal: false, phase: 'completed', record: { status: 'success' } },
] as const;

describe('outputsVerdict', () => {
  it('F16: trails without a record, however long', () => {
    expect([verdict({}), verdict(steady), verdict(detail(1, { phase: 'in_progress' }))]).toEqual([
      'trails',
      'trails',
      'trails',
    ]);
    expect(verdict({ detail: detailed })).toBe('trails');
    expect(verdict(detail(1, { phase: 'in_progress', outputs: of('a') }))).toBe('trails');
  });

  it('F16: takes the jobs API for a record where that says that the job is over, and counts', () => {
    expect(verdict(detail(1, { outputs: of('a') }))).toBe('whole');
    expect(verdict(detail(2, { outputs: of('a') }))).toBe('trails');
  });

  it.each<[OutputsVerdict, Partial<Reported>, Partial<Known>]>([
    ['uncounted', record(of('a')), {}],
    ['uncounted', record(of('a')), { outputs: of('a') }],
    ['trails', record(of('a')), { outputs: of('a', 'b') }],
    ['trails', { ...record(of('a')), ...steady }, { outputs: of('b') }],
    ['whole', { ...record(of('a')), ...detail(1) }, {}],
    ['trails', { ...record(of('a')), ...detail(2) }, {}],
    ['whole', { ...record(of('a', 'b')), ...detail(1) }, {}],
    ['whole', { ...record(of('a')), ...detail(2, { outputs: of('b') }) }, {}],
  ])('F15: is %s for a final record that lists %j, where %j', (expected, told, known) => {
    expect(verdict(told, known)).toBe(expected);
  });

  it('F17: takes texts for what the jobs API counts, once they have stayed', () => {
    const told = { ...record({ '9': { images: [file('a')], text: ['x'] } }), ...detail(2) };
    expect([verdict({ ...told, ...nearly }), verdict({ ...told, ...steady })]).toEqual(['trails', 'whole']);
    expect(verdict({ ...record(of('a')), ...detail(2), ...steady })).toBe('trails');
  });

  it('F18: believes a final record without files at once where one socket brought everything', () => {
    expect([verdict(record({})), verdict(record({}), { gapless: true })]).toEqual(['trails', 'uncounted']);
    expect([verdict({ ...record({}), ...nearly }), verdict({ ...record({}), ...steady })]).toEqual([
      'trails',
      'uncounted',
    ]);
    const counted = { ...record({}), ...detail(1) };
    expect(verdict(counted, { gapless: true })).toBe('trails');
    expect(verdict({ ...record({}), ...detail(0) }, { gapless: true })).toBe('whole');
  });

  it('F18: believes a record that appears whole at once, and what it lacks in the end', () => {
    const local = { recordsAppearWhole: true };
    expect([verdict(record({}), local), verdict(record(of('a')), local)]).toEqual(['whole', 'whole']);
    expect(verdict(record(of('a'), { isFinal: false, phase: undefined }), local)).toBe('whole');
    const missing = { recordsAppearWhole: true, outputs: of('b') };
    expect(verdict({ ...record(of('a')), ...nearly }, missing)).toBe('trails');
    expect(verdict({ ...record(of('a')), ...steady }, missing)).toBe('short');
  });

  it.each(thin)('F17: believes %j, which cannot say so, once it has stayed or is counted', (more) => {
    const told = record(of('a'), more);
    expect([verdict(told), verdict({ ...told, ...nearly }), verdict({ ...told, ...steady })]).toEqual([
      'trails',
      'trails',
      'uncounted',
    ]);
    expect([verdict({ ...told, ...detail(1) }), verdict({ ...told, ...detail(2) })]).toEqual([
      'whole',
      'trails',
    ]);
    const empty = record({}, more);
    expect([verdict(empty), verdict({ ...empty, ...steady }), verdict(empty, { gapless: true })]).toEqual([
      'trails',
      'trails',
      'uncounted',
    ]);
  });

  it('F17: never believes a record that says that it is not final', () => {
    const told = record(of('a'), {
      isFinal: false,
      phase: undefined,
      record: { status: { completed: false } },
    });
    expect([verdict({ ...told, ...steady }), verdict({ ...told, ...detail(1) })]).toEqual([
      'trails',
      'trails',
    ]);
  });
});
