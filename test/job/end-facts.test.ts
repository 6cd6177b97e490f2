import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { EndFacts, type EndFactsOptions, type Ending } from '../../src/job/end-facts.js';
import type { JobEnd } from '../../src/job/job-end.js';
import type { History } from '../../src/protocol/answers/history.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';
import { virtualClock } from '../helpers/virtual-clock.js';

const record: History = { promptId: 'p', outputs: {}, isFinal: false, record: { status: {} } };
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
    isHeardWhole: false,
    hasBegun: true,
    ...options,
  };
  const facts = new EndFacts(job, { clock, recordWithinMs: 120_000, appearsWhole: false, ...options });
  return { clock, facts };
};

describe('EndFacts', () => {
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
  ] as const)('F20: of a failure with its reason is %s with %j', (verdict, more, appearsWhole) => {
    const { facts } = made({ phase: 'failed', failure: reason }, { appearsWhole });
    expect(facts.verdict).toBe('trails');
    facts.takeRecord(E.right({ ...record, ...more }));
    expect(facts.verdict).toBe(verdict);
  });
});
