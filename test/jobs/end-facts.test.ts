import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { EndFacts, type EndFactsOptions, type Ending } from '../../src/client/jobs/end-facts.js';
import type { HistoryRecord } from '../../src/core/endpoints/history.js';
import type { JobEnd } from '../../src/client/jobs/job-end.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const record: HistoryRecord = { promptId: 'p', outputs: {}, isFinal: false, record: { status: {} } };
const missing = E.left(serviceError('NotFound', {}));
const lost = E.left(serviceError('Network', { code: 'x', sent: true }));
const reason = { exceptionType: 'E', exceptionMessage: 'm', traceback: [], nodeErrors: {} };

const made = (end: Partial<JobEnd> = {}, options: Partial<EndFactsOptions & Ending> = {}) => {
  const clock = virtualClock();
  const first: JobEnd = { promptId: 'p', phase: 'completed', source: 'socket', ...end };
  const job: Ending = {
    promptId: 'p',
    ends: [first],
    outputs: {},
    gapless: false,
    hasBegun: true,
    ...options,
  };
  const facts = new EndFacts(job, {
    clock,
    recordWithinMs: 120_000,
    recordsAppearWhole: false,
    recordsHoldMessages: false,
    ...options,
  });
  return { clock, facts };
};

describe('EndFacts', () => {
  const odd = E.left(serviceError('UnexpectedStatus', { status: 410 }));
  const known = E.right({ promptId: 'p', status: 'completed', phase: 'completed' } as const);

  it('F23: counts no time before history is first asked', async () => {
    const { clock, facts } = made({ phase: 'cancelled' });
    facts.takeStatus(E.right({ promptId: 'p', status: 'cancelled', phase: 'cancelled' }));
    await clock.advance(10_000_000);
    facts.begin();
    const { leftMs } = facts;
    facts.takeRecord(lost);
    await clock.advance(60_000);
    facts.takeRecord(lost);
    expect(facts.leftMs).toBe(leftMs);
  });

  it.each([
    ['neither history nor the status knows the job', missing, missing, {}, true],
    ['history cannot be reached', lost, known, {}, true],
    ['history cannot be reached, and the status knows no job', lost, missing, {}, true],
    ['only history does not know the job', missing, known, {}, false],
    ['only the status does not know the job', E.right(record), missing, {}, false],
    ['history answers oddly', odd, missing, {}, false],
    ['records appear whole at the end', missing, missing, { recordsAppearWhole: true }, false],
  ])('F16: may excuse the time where %s', (_, history, status, options, isExcused) => {
    const { facts } = made({}, options);
    facts.begin();
    facts.takeRecord(history);
    facts.takeStatus(status);
    expect(facts.isExcused).toBe(isExcused);
  });

  it('F16: counts no time in which neither history nor the status knows the job', async () => {
    const { clock, facts } = made();
    facts.begin();
    facts.takeRecord(missing);
    facts.takeStatus(missing);
    await clock.advance(10_000);
    facts.takeRecord(missing);
    expect(facts.leftMs).toBe(120_000);
  });

  it.each([
    ['neither a record nor a status', undefined, missing, 120_000],
    ['a status', (facts: EndFacts) => facts.takeStatus(known), missing, 110_000],
    ['a record', (facts: EndFacts) => facts.takeRecord(E.right(record)), missing, 110_000],
    [
      'the jobs API',
      (facts: EndFacts) =>
        facts.takeDetail({ promptId: 'p', status: 'completed', phase: 'completed', outputs: {} }),
      missing,
      110_000,
    ],
    ['no answer since', undefined, lost, 105_000],
  ])('F16: excuses what it awaited since REST last knew the job, by %s', async (_, tell, status, leftMs) => {
    const { clock, facts } = made();
    facts.begin();
    facts.takeRecord(missing);
    await clock.advance(10_000);
    facts.takeRecord(missing);
    tell?.(facts);
    await clock.advance(5_000);
    facts.takeRecord(missing);
    facts.takeStatus(status);
    expect(facts.leftMs).toBe(leftMs);
  });

  it('F18: counts for how long the outputs are the same from when they were first listed', async () => {
    const { clock, facts } = made();
    await clock.advance(10_000);
    facts.begin();
    const empty = E.right({ ...record, isFinal: true, phase: 'completed' } as const);
    facts.takeRecord(empty);
    expect([facts.verdict, facts.steadyInMs]).toEqual(['trails', 8_000]);
    await clock.advance(7_999);
    expect(facts.steadyInMs).toBe(1);
    await clock.advance(1);
    facts.takeRecord(empty);
    expect([facts.verdict, facts.steadyInMs]).toEqual(['uncounted', Infinity]);
  });

  it.each([
    ['nothing was asked but its record', missing, undefined, {}, 120_000],
    ['neither history nor the status knows the job', missing, missing, {}, 120_000],
    ['history answers oddly and the status does not know the job', odd, missing, {}, 750],
    ['the status cannot be reached', missing, lost, {}, 120_000],
    ['records appear whole', missing, undefined, { recordsAppearWhole: true }, 750],
    ['the status tells the same', missing, known, {}, 750],
  ])('F19: awaits the record of a cancelled job where %s', (_, history, status, options, leftMs) => {
    const { facts } = made({ phase: 'cancelled' }, { gapless: true, ...options });
    facts.begin();
    facts.takeRecord(history);
    if (status !== undefined)
      facts.takeStatus(E.isRight(status) ? E.right({ ...status.right, phase: 'cancelled' }) : status);
    expect(facts.leftMs).toBe(leftMs);
  });

  it.each([
    ['the socket', undefined, 120_000],
    ['its status', E.right({ promptId: 'p', status: 'cancelled', phase: 'cancelled' } as const), 3_000],
  ])(
    'F16: counts the time without a record that was there where %s reported the end',
    async (_, status, leftMs) => {
      const { clock, facts } = made({ phase: 'cancelled' });
      if (status !== undefined) facts.takeStatus(status);
      facts.begin();
      facts.takeRecord(E.right(record));
      await clock.advance(5_000);
      facts.takeRecord(missing);
      expect(facts.leftMs).toBe(leftMs);
    },
  );

  const bare = E.right({ promptId: 'p', status: 'failed', phase: 'failed' } as const);
  const recorded = E.right({ ...record, phase: 'failed' } as const);

  it.each([
    ['its record', recorded, [], false, true],
    ['its record, and its status cannot be reached', recorded, [lost], false, false],
    ['its record, and its status does not know it', recorded, [missing], false, true],
    ['its record and its status, which cannot be reached any more', recorded, [bare, lost], false, true],
    ['the socket alone', missing, [], false, false],
    ['the socket and the jobs API', missing, [], true, true],
  ])(
    'F20: waits 8 s for the reason of a failure that is reported by %s, or longer',
    async (_, history, statuses, isDetailed, isDue) => {
      const { clock, facts } = made({ phase: 'failed' });
      facts.begin();
      facts.takeRecord(history);
      if (isDetailed) facts.takeDetail({ promptId: 'p', status: 'failed', phase: 'failed', outputs: {} });
      for (const status of statuses) facts.takeStatus(status);
      await clock.advance(7_999);
      facts.takeRecord(odd);
      expect(facts.isDue).toBe(false);
      await clock.advance(1);
      facts.takeRecord(odd);
      expect(facts.isDue).toBe(isDue);
    },
  );

  it('F16: has been awaited for long enough at the last millisecond, not before', async () => {
    const { clock, facts } = made({}, { recordWithinMs: 10_000 });
    facts.begin();
    facts.takeRecord(missing);
    await clock.advance(9_999);
    facts.takeRecord(missing);
    expect([facts.leftMs, facts.isDue]).toEqual([1, false]);
    await clock.advance(1);
    facts.takeRecord(missing);
    expect([facts.leftMs, facts.isDue]).toEqual([0, true]);
  });

  it.each([
    ['that there is no record', missing],
    ['nothing', lost],
  ])('F16: counts no time until history has first answered %s', async (_, answer) => {
    const { clock, facts } = made();
    await clock.advance(10_000_000);
    facts.begin();
    await clock.advance(5_000);
    facts.takeRecord(answer);
    expect(facts.leftMs).toBe(120_000);
  });

  it('F16: counts the time from one answer to the next, and from the first question on only once', async () => {
    const { clock, facts } = made();
    facts.begin();
    await clock.advance(5_000);
    facts.begin();
    facts.takeRecord(missing);
    await clock.advance(1_000);
    facts.begin();
    facts.takeRecord(missing);
    expect(facts.leftMs).toBe(119_000);
  });

  it.each<[JobEnd['phase'], number, number]>([
    ['completed', 600_000, 120_000],
    ['cancelled', 60_000, 8_000],
    ['failed', 600_000, 120_000],
  ])('F23: excuses of a job that is %s %d ms without history', async (phase, mostMs, leftMs) => {
    const { clock, facts } = made({ phase });
    facts.takeStatus(E.right({ promptId: 'p', status: phase, phase }));
    facts.begin();
    for (let lostMs = 0; lostMs < mostMs; lostMs += 60_000) {
      await clock.advance(60_000);
      facts.takeRecord(lost);
    }
    expect(facts.leftMs).toBe(leftMs);
    await clock.advance(1_000);
    facts.takeRecord(lost);
    expect(facts.leftMs).toBe(leftMs - 1_000);
  });

  it.each<[number, number]>([
    [120_000, 90_000],
    [30_000, 30_000],
  ])(
    'F35: of %d ms excuses %d for which a record is missing that was there',
    async (recordWithinMs, mostMs) => {
      const { clock, facts } = made({ phase: 'completed' }, { recordWithinMs });
      facts.begin();
      facts.takeRecord(E.right(record));
      for (let missingMs = 0; missingMs < mostMs; missingMs += 10_000) {
        await clock.advance(10_000);
        facts.takeRecord(missing);
      }
      expect(facts.leftMs).toBe(recordWithinMs);
      await clock.advance(1_000);
      facts.takeRecord(missing);
      expect(facts.leftMs).toBe(recordWithinMs - 1_000);
    },
  );

  it('keeps a record that history does not give again', () => {
    const { facts } = made();
    facts.takeRecord(E.right(record));
    facts.takeRecord(missing);
    expect(facts.record).toBe(record);
  });

  it('F18: counts from when a source first listed the outputs, or listed more', async () => {
    const { clock, facts } = made();
    facts.begin();
    facts.takeRecord(missing);
    expect(facts.steadyInMs).toBe(Infinity);
    await clock.advance(3_000);
    facts.takeRecord(E.right(record));
    await clock.advance(3_000);
    expect(facts.steadyInMs).toBe(5_000);
    const outputs = { 9: { text: ['x'] } };
    facts.takeDetail({ promptId: 'p', status: 'completed', phase: 'completed', outputs });
    expect(facts.steadyInMs).toBe(8_000);
    await clock.advance(8_000);
    expect(facts.steadyInMs).toBe(Infinity);
  });

  it('C10: takes what the socket alone has said for unconfirmed', () => {
    const { facts } = made();
    expect(facts.isUnconfirmed).toBe(true);
    facts.takeRecord(E.right(record));
    expect(facts.isUnconfirmed).toBe(true);
    facts.takeRecord(E.right({ ...record, phase: 'completed' }));
    expect(facts.isUnconfirmed).toBe(false);
    expect(made({ source: 'status' }).facts.isUnconfirmed).toBe(false);
  });

  it.each<[JobEnd['source'], Partial<JobEnd>, boolean]>([
    ['socket', { phase: 'cancelled' }, true],
    ['socket', { phase: 'failed', failure: reason }, true],
    ['record', { phase: 'failed' }, true],
    ['status', { phase: 'failed' }, false],
  ])('F44: takes what a record `error` and the %s say of %j for unconfirmed: %s', (source, end, expected) => {
    const { facts } = made({ ...end, source });
    facts.takeRecord(E.right({ ...record, phase: 'failed' }));
    expect(facts.isUnconfirmed).toBe(expected);
  });

  it.each([
    ['whole', { isFinal: true }, false],
    ['whole', {}, true],
    ['trails', {}, false],
  ] as const)('F20: of a failure with its reason is %s with %j', (verdict, more, recordsAppearWhole) => {
    const { facts } = made({ phase: 'failed', failure: reason }, { recordsAppearWhole });
    expect(facts.verdict).toBe('trails');
    facts.takeRecord(E.right({ ...record, ...more }));
    expect(facts.verdict).toBe(verdict);
  });
});
