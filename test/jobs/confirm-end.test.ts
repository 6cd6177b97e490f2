import { answers, fakeRest } from '../helpers/fake-rest.js';
import { confirmEnd } from '../../src/client/jobs/confirm-end.js';
import { describe, expect, it } from 'vitest';
import type { Ending } from '../../src/client/jobs/end-facts.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { HistoryRecord } from '../../src/core/endpoints/history.js';
import type { JobDetail } from '../../src/core/endpoints/job-detail.js';
import { jobsApi } from '../../src/core/http/jobs-api.js';
import { jobDetails } from '../../src/client/jobs/job-details.js';
import type { JobEnd } from '../../src/client/jobs/job-end.js';
import type { JobInput } from '../../src/core/state/step-job-state.js';
import { type JobFailure, unknownFailure } from '../../src/core/state/failure.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import type { Outputs } from '../../src/core/state/outputs.js';
import { rateLimiter } from '../../src/client/jobs/rate-limiter.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { ReplaySubject, Subject } from 'rxjs';

const files = (...names: readonly string[]) => ({
  images: names.map((filename) => ({ filename, subfolder: '', type: 'output' })),
});
const missing = serviceError('NotFound', {});
const whole: HistoryRecord = {
  promptId: 'p',
  outputs: { 9: files('a.png') },
  phase: 'completed',
  isFinal: true,
  record: { status: { completed: true } },
};
const empty: HistoryRecord = { ...whole, outputs: {} };
const begun: HistoryRecord = { promptId: 'p', outputs: {}, isFinal: false, record: { status: null } };
const oom: JobFailure = {
  exceptionType: 'OOMError',
  exceptionMessage: 'too big',
  nodeId: '3',
  traceback: [],
  nodeErrors: {},
};
const bareError: HistoryRecord = { ...begun, phase: 'failed', failure: unknownFailure() };
const detail = (more: Partial<JobDetail> = {}): JobDetail => ({
  promptId: 'p',
  status: 'completed',
  phase: 'completed',
  outputs: {},
  ...more,
});

const known = (phase: JobEnd['phase'] = 'completed'): JobStatus => ({ promptId: 'p', status: phase, phase });

interface Setting {
  /** Answers of history, one after the other. */
  readonly history: readonly (HistoryRecord | ServiceError)[];
  readonly jobs?: readonly (JobDetail | ServiceError)[];
  /** Answers of the status; default: it says what the end does. */
  readonly status?: readonly (JobStatus | ServiceError)[];
  readonly end?: Partial<JobEnd>;
  readonly outputs?: Outputs;
  readonly gapless?: boolean;
  readonly hasBegun?: boolean;
  readonly recordsAppearWhole?: boolean;
  readonly recordsHoldMessages?: boolean;
  readonly recordWithinMs?: number;
  readonly runIsOver?: Ending['runIsOver'];
  readonly marksRecords?: boolean;
}

const confirm = ({
  history,
  jobs = [missing],
  status,
  end,
  outputs = {},
  gapless = false,
  hasBegun = true,
  recordsAppearWhole = false,
  recordsHoldMessages = false,
  recordWithinMs = 120_000,
  runIsOver,
  marksRecords = false,
}: Setting) => {
  const platform = fakePlatform();
  const { clock } = platform;
  const [records, details, words] = [
    answers(...history),
    answers(...jobs),
    answers(...(status ?? [known(end?.phase)])),
  ];
  const rest = fakeRest({ history: records.call, jobDetail: details.call, jobStatus: words.call });
  const ends: [JobEnd, ...JobEnd[]] = [{ promptId: 'p', phase: 'completed', source: 'socket', ...end }];
  const job: Ending = { promptId: 'p', ends, outputs, gapless, hasBegun, runIsOver };
  const events: JobInput[] = [];
  const times: number[] = [];
  let completed = false;
  const from = clock.now();
  const subscription = confirmEnd(
    {
      platform,
      rest,
      details: jobDetails({ ...rest, jobsApi: jobsApi(clock) }),
      limiter: rateLimiter(clock),
      recordWithinMs,
      recordsAppearWhole,
      recordsHoldMessages,
      marksRecords,
    },
    job,
  ).subscribe({
    next: (event) => {
      events.push(event);
      times.push(clock.now() - from);
    },
    complete: () => (completed = true),
  });
  /** The last event and when it came, once there is no more. */
  const last = async (withinMs: number) => {
    await clock.advance(withinMs);
    return completed ? { event: events.at(-1), at: times.at(-1) } : undefined;
  };
  return {
    clock,
    events,
    ends,
    last,
    completed: () => completed,
    subscription,
    asked: () => ({ history: records.count(), job: details.count(), status: words.count() }),
  };
};

describe('confirmEnd of a completed job', () => {
  it("ends the job with history's outputs after one read and one count", async () => {
    const { events, asked, completed, clock } = confirm({
      history: [whole],
      jobs: [detail({ outputsCount: 1 })],
      outputs: { 9: files('a.png') },
    });
    await clock.advance(0);
    expect(events).toMatchObject([
      { _tag: 'HistoryRead', phase: 'completed', outputs: whole.outputs, isFinal: true },
    ]);
    expect(asked()).toEqual({ history: 1, job: 1, status: 0 });
    expect(completed()).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it.each([
    ['not there', missing],
    ['without an end', begun],
    ['final and without outputs', empty],
  ])('F4: reads again while the record is %s', async (_, late) => {
    const { last, asked } = confirm({ history: [late, late, whole] });
    expect(await last(749)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { phase: 'completed', outputs: whole.outputs } });
    expect(asked().history).toBe(3);
  });

  it('F15: takes no record for complete that has fewer files of a node than were reported', async () => {
    const told = { 9: files('a.png', 'b.png') };
    const { last } = confirm({ outputs: told, history: [whole, whole, { ...whole, outputs: told }] });
    expect(await last(749)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { outputs: told, isFinal: true } });
  });

  it('F15: waits for a node whose output the socket had reported', async () => {
    const both = { 9: files('a.png'), 12: files('b.png') };
    const { last } = confirm({ outputs: both, history: [whole, { ...whole, outputs: both }] });
    expect(await last(250)).toMatchObject({ event: { outputs: both } });
  });

  it('F15: ends without a claim to completeness where a file that was reported never gets into the record', async () => {
    const { last } = confirm({ outputs: { 12: files('b.png') }, history: [whole] });
    expect(await last(119_999)).toBeUndefined();
    const end = await last(1);
    expect(end).toMatchObject({ at: 120_000, event: { _tag: 'StatusRead', phase: 'completed' } });
  });

  it('F15: does not wait so long on a server whose records appear whole', async () => {
    const { last } = confirm({ outputs: { 12: files('b.png') }, history: [whole], recordsAppearWhole: true });
    expect(await last(20_000)).toMatchObject({
      at: 8_000,
      event: { _tag: 'StatusRead', phase: 'completed' },
    });
  });

  it('M7: reads a record again at once where the mark came before the first answer', async () => {
    const mark = new ReplaySubject<void>(1);
    mark.next();
    const { last } = confirm({ history: [missing, whole], recordsAppearWhole: true, runIsOver: mark });
    expect(await last(1)).toMatchObject({ at: 0, event: { phase: 'completed', isFinal: true } });
  });

  it.each([
    ['comes', 10, 10],
    ['stays away', undefined, 50],
  ])('M7: reads a record once, after the mark that it is written, where that %s', async (_, markAt, at) => {
    const marks = new Subject<void>();
    const { asked, clock, last } = confirm({
      ...{ history: [whole], recordsAppearWhole: true, marksRecords: true, runIsOver: marks },
    });
    await clock.advance(at - 1);
    expect(asked().history).toBe(0);
    if (markAt !== undefined) {
      await clock.advance(1);
      marks.next();
    }
    expect(await last(1)).toMatchObject({ at, event: { phase: 'completed', isFinal: true } });
    expect([asked().history, marks.observed]).toEqual([1, false]);
  });

  it('M7: reads a record at once where another source than the socket told the end', async () => {
    const { asked, last } = confirm({
      ...{ history: [whole], recordsAppearWhole: true, marksRecords: true, runIsOver: new Subject() },
      end: { source: 'status' },
    });
    expect(await last(0)).toMatchObject({ at: 0 });
    expect(asked().history).toBe(1);
  });

  it('M7: reads a record that trails at the mark that no node runs, once, and else at its own pace', async () => {
    const marks = new Subject<void>();
    const { asked, clock, last } = confirm({
      history: [begun, begun, whole],
      runIsOver: marks,
    });
    await clock.advance(0);
    expect([asked().history, marks.observed]).toEqual([1, true]);
    await clock.advance(10);
    expect(asked().history).toBe(1);
    marks.next();
    await clock.advance(0);
    expect([asked().history, marks.observed]).toEqual([2, false]);
    marks.next();
    await clock.advance(100);
    expect(asked().history).toBe(2);
    expect((await last(5_000))?.event).toMatchObject({ _tag: 'HistoryRead', isFinal: true });
    expect(asked().history).toBe(3);
  });

  it('F16: waits for a record that trails by a minute, slower and slower', async () => {
    const { last, asked } = confirm({ history: [...Array.from({ length: 9 }, () => missing), whole] });
    expect(await last(60_000)).toBeUndefined();
    expect(await last(10_000)).toMatchObject({ at: 63_750, event: { phase: 'completed', isFinal: true } });
    expect(asked().history).toBe(10);
  });

  it('F16: gives a record up that trails for good, and ends with what is known', async () => {
    const { last, asked } = confirm({ history: [missing], outputs: { 9: files('a.png') } });
    expect(await last(119_999)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { _tag: 'StatusRead', phase: 'completed' } });
    expect(asked().history).toBe(14);
  });

  it('F16: takes the time that it may trail from an option', async () => {
    const { last } = confirm({ history: [missing], recordWithinMs: 5_000 });
    expect(await last(10_000)).toMatchObject({ at: 5_000, event: { _tag: 'StatusRead' } });
  });

  it('F16: emits at once what a record lists that trails', async () => {
    const { clock, events } = confirm({ history: [{ ...begun, outputs: whole.outputs }] });
    await clock.advance(0);
    expect(events).toMatchObject([{ _tag: 'HistoryRead', outputs: whole.outputs }]);
    expect(events[0]).not.toHaveProperty('phase');
  });

  it('F17: waits for as many files as the jobs API counts', async () => {
    const three = { ...whole, outputs: { 9: files('a.png', 'b.png', 'c.png') } };
    const { last, asked } = confirm({
      history: [whole, whole, three],
      jobs: [detail({ outputsCount: 3 })],
    });
    expect(await last(749)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { outputs: three.outputs, isFinal: true } });
    expect(asked().job).toBe(1);
  });

  it('F17: asks the jobs API again where it gave no answer', async () => {
    const both = { ...whole, outputs: { 9: files('a.png', 'b.png') } };
    const { last, asked } = confirm({
      history: [whole, whole, both],
      jobs: [serviceError('ServerError', { status: 500 }), detail({ outputsCount: 2 })],
    });
    expect(await last(1_000)).toMatchObject({ event: { outputs: both.outputs } });
    expect(asked()).toEqual({ history: 3, job: 2, status: 0 });
  });

  it('F17: asks the jobs API five times at most, and believes the record then', async () => {
    const { last, asked } = confirm({
      history: [whole],
      jobs: [serviceError('ServerError', { status: 500 })],
    });
    expect(await last(120_000)).toMatchObject({ event: { phase: 'completed', isFinal: true } });
    expect(asked()).toEqual({ history: 5, job: 5, status: 0 });
  });

  it('has the times of the record, and none where the jobs API alone reported the outputs', async () => {
    const timed = { ...whole, startedAt: 1_000, endedAt: 2_000 };
    const jobs = [detail({ outputs: whole.outputs, outputsCount: 1 })];
    expect(await confirm({ history: [timed], jobs }).last(0)).toMatchObject({
      event: { _tag: 'HistoryRead', startedAt: 1_000, endedAt: 2_000 },
    });
    const gone = serviceError('UnexpectedStatus', { status: 410 });
    expect((await confirm({ history: [gone], jobs }).last(16_000))?.event).toEqual({
      _tag: 'HistoryRead',
      promptId: 'p',
      outputs: whole.outputs,
      phase: 'completed',
      failure: undefined,
      isFinal: true,
    });
  });

  it.each(['Network', 'Timeout', 'ServerError', 'RateLimited'] as const)(
    'F23: does not count the time in which history answers %s',
    async (tag) => {
      const lost = serviceError(tag, { code: 'x', sent: true, timeoutMs: 1 });
      const { last } = confirm({
        history: [...Array<ServiceError>(10).fill(lost), whole],
        recordWithinMs: 1_000,
      });
      expect(await last(120_000)).toMatchObject({ event: { outputs: whole.outputs, isFinal: true } });
    },
  );

  it('F17: believes a steady record where the count has texts in it', async () => {
    const withText = { ...whole, outputs: { 9: { ...files('a.png'), text: ['done'] } } };
    const { last } = confirm({ history: [withText], jobs: [detail({ outputsCount: 2 })] });
    expect(await last(16_000)).toMatchObject({ at: 8_000, event: { phase: 'completed', isFinal: true } });
  });

  it('F17: takes outputs from the jobs API where history has no sensible answer', async () => {
    const { last } = confirm({
      history: [serviceError('UnexpectedStatus', { status: 410 })],
      jobs: [detail({ outputs: whole.outputs, outputsCount: 1 })],
    });
    expect(await last(16_000)).toMatchObject({ event: { outputs: whole.outputs, isFinal: true } });
  });

  it('F17: believes a record without a status once it has said the same for 8 s', async () => {
    const { last } = confirm({ history: [{ ...begun, outputs: whole.outputs, record: {} }] });
    expect(await last(7_999)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { phase: 'completed', isFinal: true } });
  });

  it('F18: believes a final record without files at once where the socket brought all events', async () => {
    const { last, asked } = confirm({ history: [empty], gapless: true });
    expect(await last(0)).toMatchObject({ at: 0, event: { phase: 'completed', isFinal: true } });
    expect(asked()).toEqual({ history: 1, job: 1, status: 0 });
  });

  it('F18: does not believe it where the jobs API counts what the socket did not tell', async () => {
    const { last } = confirm({
      history: [empty, whole],
      jobs: [detail({ outputsCount: 1 })],
      gapless: true,
    });
    expect(await last(0)).toBeUndefined();
    expect(await last(250)).toMatchObject({ event: { outputs: whole.outputs, isFinal: true } });
  });

  it('F18: believes it at once on a server whose records appear whole', async () => {
    const { last } = confirm({ history: [empty], recordsAppearWhole: true });
    expect(await last(0)).toMatchObject({ at: 0, event: { phase: 'completed', isFinal: true } });
  });

  it('F18: does not believe it at once where the socket reported a file', async () => {
    const told = { 9: files('a.png') };
    const { last } = confirm({ history: [empty, whole], outputs: told, gapless: true });
    expect(await last(0)).toBeUndefined();
    expect(await last(250)).toMatchObject({ event: { outputs: told, isFinal: true } });
  });

  it('F18: reads it again for 8 s where events may have been missed, then believes it', async () => {
    const { last } = confirm({ history: [empty] });
    expect(await last(7_999)).toBeUndefined();
    expect(await last(1)).toMatchObject({ at: 8_000, event: { phase: 'completed', isFinal: true } });
  });

  it('F18: finds in the jobs API that there are files after all', async () => {
    const { last } = confirm({ history: [empty], jobs: [detail({ outputsCount: 2 })] });
    expect(await last(119_999)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { _tag: 'StatusRead' } });
  });

  it('F18: does not believe it while history knows it no more', async () => {
    const { last } = confirm({ history: [empty, ...Array.from({ length: 6 }, () => missing), whole] });
    expect(await last(15_000)).toBeUndefined();
    expect(await last(10_000)).toMatchObject({ event: { outputs: whole.outputs } });
  });

  it('F35: waits until REST knows a job again whose record and status are missing', async () => {
    const { last, asked } = confirm({
      history: [...Array.from({ length: 16 }, () => missing), whole],
      status: [{ promptId: 'p', status: 'success', phase: 'completed' }, missing],
    });
    expect(await last(130_000)).toBeUndefined();
    expect(await last(60_000)).toMatchObject({ event: { outputs: whole.outputs, isFinal: true } });
    expect(asked().status).toBeLessThan(8);
  });

  it('F35: gives a job up that REST does not know for good', async () => {
    const { last } = confirm({ history: [missing], status: [missing] });
    expect(await last(200_000)).toBeUndefined();
    expect(await last(30_000)).toMatchObject({ event: { _tag: 'StatusRead', phase: 'completed' } });
  });

  it('F39: believes a final record where the jobs API never says how many files there are', async () => {
    const { last } = confirm({
      history: [whole],
      jobs: [serviceError('ServerError', {})],
      recordWithinMs: 1_000,
    });
    expect(await last(2_000)).toMatchObject({ event: { outputs: whole.outputs, isFinal: true } });
  });

  it('F41: asks a jobs API again that does not know a job which history does not know either', async () => {
    const { last, asked } = confirm({
      history: [missing, missing, missing, missing, whole],
      jobs: [missing, detail({ outputsCount: 1 })],
    });
    expect(await last(10_000)).toMatchObject({ event: { outputs: whole.outputs } });
    expect(asked().job).toBe(2);
  });

  it('F21: asks a service without a jobs API for it once', async () => {
    const { last, asked } = confirm({ history: [begun, begun, begun, begun, begun, whole] });
    expect(await last(10_000)).toMatchObject({ event: { isFinal: true } });
    expect(asked().job).toBe(1);
  });

  it('F23: does not count the time in which history cannot be reached', async () => {
    const down = serviceError('ServerError', { status: 503 });
    const { clock, last } = confirm({ history: [...Array.from({ length: 30 }, () => down), whole] });
    expect(await last(300_000)).toBeUndefined();
    await clock.advance(200_000);
    expect(await last(0)).toMatchObject({ event: { phase: 'completed', isFinal: true } });
  });

  it('F23: does not count the time in which the key is refused', async () => {
    const refused = Array.from({ length: 14 }, () => serviceError('Unauthorized', {}));
    const { last } = confirm({ history: [...refused, whole] });
    expect(await last(140_000)).toBeUndefined();
    expect(await last(10_000)).toMatchObject({ event: { phase: 'completed', isFinal: true } });
  });

  it('F23: gives up where history can never be reached', async () => {
    const { last } = confirm({ history: [serviceError('ServerError', { status: 500 })] });
    expect(await last(700_000)).toBeUndefined();
    expect(await last(40_000)).toMatchObject({ event: { _tag: 'StatusRead', phase: 'completed' } });
  });

  it('stops reading on unsubscribe', async () => {
    const { clock, asked, subscription } = confirm({ history: [missing] });
    await clock.advance(250);
    subscription.unsubscribe();
    expect(clock.pending()).toBe(0);
    await clock.advance(20_000);
    expect(asked().history).toBe(2);
  });
});

describe('confirmEnd where sources differ', () => {
  it('C10: lets the record win over what the socket said', async () => {
    const { last } = confirm({ end: { phase: 'failed' }, history: [whole] });
    expect(await last(0)).toMatchObject({ event: { phase: 'completed', failure: undefined } });
  });

  it.each(['NotFound', 'ServerError'] as const)(
    'lets the status win over the socket where the record answers %s',
    async (tag) => {
      const { last, events } = confirm({
        end: { phase: 'failed', failure: oom },
        history: [serviceError(tag, {})],
        // Whatever id a status gives itself, it is that of the job which was asked for.
        status: [{ promptId: 'another', status: 'completed', phase: 'completed' }],
        gapless: true,
      });
      await last(750);
      expect(events.filter(({ _tag }) => _tag === 'StatusRead')).toEqual([]);
      const end = await last(800_000);
      expect(end?.event).toMatchObject({ _tag: 'StatusRead', promptId: 'p', phase: 'completed' });
    },
  );

  it.each([
    ['has no word of it', { ...begun, outputs: whole.outputs }],
    ['calls it a success in a word', whole],
  ])('M4: keeps an error of the socket on an engine whose record %s', async (_, record) => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [record],
      status: [known('completed')],
      recordsAppearWhole: true,
      recordsHoldMessages: true,
    });
    expect(await last(0)).toMatchObject({
      event: { phase: 'failed', failure: oom, outputs: whole.outputs },
    });
  });

  it('M4: keeps an error of the socket on an engine that has no record, whatever its status says', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [missing],
      status: [known('completed')],
      recordsAppearWhole: true,
      recordsHoldMessages: true,
    });
    expect(await last(120_000)).toMatchObject({ event: { phase: 'failed', failure: oom } });
  });

  it('M4: believes a record without messages where records hold none', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [whole],
      recordsAppearWhole: true,
    });
    expect(await last(0)).toMatchObject({ event: { phase: 'completed' } });
  });

  it('M4: gives an error of the socket up where a message of the record says otherwise', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [{ ...whole, endedAt: 2_000 }],
      recordsAppearWhole: true,
      recordsHoldMessages: true,
    });
    expect(await last(0)).toMatchObject({ event: { phase: 'completed' } });
  });

  it('waits for the outputs of a job that its record calls completed, although the socket said otherwise', async () => {
    const { last } = confirm({ end: { phase: 'failed' }, history: [empty, empty, empty, empty, whole] });
    expect(await last(3_749)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { phase: 'completed', outputs: whole.outputs } });
  });

  it('takes a status that is no end for no contradiction', async () => {
    const { last, asked } = confirm({
      end: { phase: 'cancelled' },
      history: [missing],
      status: [{ promptId: 'p', status: 'in_progress', phase: 'in_progress' }],
      gapless: true,
    });
    expect(await last(750)).toMatchObject({ event: { _tag: 'StatusRead', phase: 'cancelled' } });
    expect(asked().status).toBe(1);
  });

  it('asks for no status where the record reports the end', async () => {
    const { last, asked } = confirm({ history: [empty] });
    await last(16_000);
    expect(asked().status).toBe(0);
  });

  it('C10: lets the record win where the socket said that the job completed', async () => {
    const { last } = confirm({ history: [{ ...empty, phase: 'failed', failure: oom }] });
    expect(await last(0)).toMatchObject({ event: { phase: 'failed', failure: oom } });
  });
});

describe('confirmEnd of a job that did not complete', () => {
  it('keeps the failure that the socket reported in full', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [{ ...empty, phase: 'failed', failure: { ...oom, exceptionMessage: 'big' } }],
    });
    expect(await last(0)).toMatchObject({ event: { phase: 'failed', failure: oom } });
  });

  it('F19: asks the status where the socket reports a failure and its record says `error` and no more', async () => {
    const { last, asked } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [bareError],
      status: [{ promptId: 'p', status: 'cancelled', phase: 'cancelled' }],
    });
    expect(await last(1_000)).toMatchObject({ event: { phase: 'cancelled', failure: undefined } });
    expect(asked().status).toBe(1);
  });

  it('F19: keeps the failure that the socket reported where the status says no more than the record', async () => {
    const { last, asked } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [bareError],
      status: [{ promptId: 'p', status: 'error', phase: 'failed', failure: unknownFailure() }],
    });
    expect(await last(1_000)).toMatchObject({ event: { phase: 'failed', failure: oom } });
    expect(asked().status).toBe(1);
  });

  it.each([
    ['cancelled', undefined],
    ['failed', oom],
  ] as const)(
    'F44: finds in the status that a job %s whose record says `error` and no more',
    async (phase, failure) => {
      const { last, asked } = confirm({
        end: { phase: 'failed', failure: unknownFailure(), source: 'record' },
        history: [bareError],
        status: [{ promptId: 'p', status: phase, phase, ...(failure === undefined ? {} : { failure }) }],
      });
      expect(await last(1_000)).toMatchObject({ event: { phase, failure } });
      expect(asked().status).toBe(1);
    },
  );

  it('F44: asks the status again that could not be reached', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: unknownFailure(), source: 'record' },
      history: [bareError],
      status: [
        ...Array.from({ length: 3 }, () => serviceError('ServerError', {})),
        { promptId: 'p', status: 'cancelled', phase: 'cancelled' },
      ],
    });
    expect(await last(120_000)).toMatchObject({ event: { phase: 'cancelled', failure: undefined } });
  });

  it('F44: asks the status as well where the socket said that the job was cancelled', async () => {
    const { last } = confirm({
      end: { phase: 'cancelled' },
      history: [bareError],
      status: [{ promptId: 'p', status: 'failed', phase: 'failed', failure: oom }],
    });
    expect(await last(1_000)).toMatchObject({ event: { phase: 'failed', failure: oom } });
  });

  it.each([
    ['a stray answer', [serviceError('UnexpectedStatus', {}), known('completed')], [missing]],
    [
      'no sensible answer',
      [serviceError('Decode', { reason: 'html' })],
      [...Array.from({ length: 6 }, () => begun), whole],
    ],
  ] as const)(
    'F38: does not believe the socket alone where the status has %s',
    async (_, status, history) => {
      const { last } = confirm({
        end: { phase: 'failed', failure: oom },
        history,
        status,
        gapless: true,
      });
      expect(await last(121_000)).toMatchObject({ event: { phase: 'completed' } });
    },
  );

  it('F38: asks the jobs API where the socket alone said how a job ended, and the status has no sensible answer', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [...Array.from({ length: 7 }, () => missing), whole],
      status: [serviceError('UnexpectedStatus', {})],
      jobs: [detail({ outputsCount: 1 })],
      gapless: true,
    });
    expect(await last(120_000)).toMatchObject({ event: { phase: 'completed', outputs: whole.outputs } });
  });

  it('F35: does not believe the socket alone while neither status nor history knows the job', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      history: [...Array.from({ length: 7 }, () => missing), whole],
      status: [missing],
      gapless: true,
    });
    expect(await last(31_000)).toBeUndefined();
    expect(await last(1_000)).toMatchObject({ event: { phase: 'completed', outputs: whole.outputs } });
  });

  it('waits for its record only briefly', async () => {
    const { last, asked } = confirm({
      end: { phase: 'cancelled' },
      history: [missing],
      hasBegun: false,
    });
    expect(await last(750)).toMatchObject({ at: 750, event: { _tag: 'StatusRead', phase: 'cancelled' } });
    expect(asked().history).toBe(3);
  });

  it('waits a little longer where the socket may have missed its outputs', async () => {
    const cancelled: HistoryRecord = { ...whole, phase: 'cancelled' };
    const { last } = confirm({
      end: { phase: 'cancelled' },
      history: [missing, missing, missing, missing, missing, cancelled],
    });
    expect(await last(8_000)).toMatchObject({ event: { phase: 'cancelled', outputs: whole.outputs } });
  });

  it('reads again while its record reports no end', async () => {
    const { last, asked } = confirm({
      end: { phase: 'cancelled' },
      history: [begun, { ...whole, phase: 'cancelled' }],
      gapless: true,
    });
    expect(await last(250)).toMatchObject({ event: { phase: 'cancelled', outputs: whole.outputs } });
    expect(asked().history).toBe(2);
  });

  it('F15: claims no completeness where its record has less than the socket reported', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: oom },
      outputs: { 9: files('a.png') },
      history: [{ ...empty, phase: 'failed', failure: oom }],
    });
    expect(await last(750)).toMatchObject({ event: { _tag: 'StatusRead', phase: 'failed' } });
  });

  it.each([
    ['the socket told that it was interrupted', { end: { phase: 'cancelled' } }, 'cancelled'],
    ['the status says cancelled', { end: { phase: 'cancelled', source: 'status' } }, 'cancelled'],
    ['the socket told the failure', { end: { phase: 'failed', failure: oom } }, 'failed'],
    [
      'the jobs API says cancelled',
      {
        end: { phase: 'failed', source: 'status' },
        jobs: [detail({ status: 'cancelled', phase: 'cancelled' })],
      },
      'cancelled',
    ],
  ] as const)('F19: reads a record `error` without messages as it is where %s', async (_, setting, phase) => {
    const { last } = confirm({ history: [bareError], ...setting });
    expect(await last(1_000)).toMatchObject({ event: { phase } });
  });

  it('F19: finds the reason in the jobs API', async () => {
    const { last, asked } = confirm({
      end: { phase: 'failed', source: 'status' },
      history: [bareError],
      jobs: [detail({ status: 'failed', phase: 'failed', failure: oom })],
    });
    expect(await last(1_000)).toMatchObject({ event: { phase: 'failed', failure: oom } });
    expect(asked().job).toBe(1);
  });

  it('F20: goes on to ask the jobs API for the reason, more slowly, where it could not be reached five times', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: unknownFailure(), source: 'status' },
      history: [serviceError('UnexpectedStatus', {})],
      jobs: [
        ...Array.from({ length: 6 }, () => serviceError('ServerError', {})),
        detail({ status: 'failed', phase: 'failed', failure: oom }),
      ],
    });
    expect(await last(150_000)).toMatchObject({ event: { phase: 'failed', failure: oom } });
  });

  it('F20: finds the reason in a record that trails, where the status only says failed', async () => {
    const { last } = confirm({
      end: { phase: 'failed', failure: unknownFailure(), source: 'status' },
      history: [...Array.from({ length: 8 }, () => missing), { ...empty, phase: 'failed', failure: oom }],
    });
    expect(await last(60_000)).toMatchObject({ event: { phase: 'failed', failure: oom, isFinal: true } });
  });

  it('F20: takes a reason that is reported while the record is awaited', async () => {
    const { last, ends } = confirm({ end: { phase: 'failed', source: 'status' }, history: [bareError] });
    expect(await last(500)).toBeUndefined();
    ends.push({ promptId: 'p', phase: 'failed', failure: oom, source: 'socket' });
    expect(await last(500)).toMatchObject({ event: { phase: 'failed', failure: oom } });
  });

  it('F20: is without a reason only once history and the jobs API have none', async () => {
    const { last, asked } = confirm({ end: { phase: 'failed', source: 'status' }, history: [bareError] });
    expect(await last(7_999)).toBeUndefined();
    expect(await last(1)).toMatchObject({ event: { phase: 'failed' } });
    expect(asked().job).toBe(1);
  });
});

describe('confirmEnd of a job that has no record', () => {
  it('F23: reads no faster while history cannot be reached, however little of its time is left', async () => {
    const lost = serviceError('Network', { code: 'x', sent: true });
    const { clock, asked } = confirm({ history: [missing, missing, lost], recordWithinMs: 1_100 });
    await clock.advance(60_000);
    expect(asked().history).toBeLessThan(12);
  });

  it.each([
    [false, 0, 1],
    [true, 0, 0],
  ])(
    'F16: asks for the status again where REST reported its end only as its time is over, whole %s',
    async (recordsAppearWhole, before, after) => {
      const { clock, asked } = confirm({
        history: [missing],
        end: { phase: 'completed', source: 'status' },
        recordsAppearWhole,
      });
      await clock.advance(100_000);
      expect(asked().status).toBe(before);
      await clock.advance(30_000);
      expect(asked().status).toBe(after);
    },
  );

  it.each([
    [false, true],
    [true, false],
  ])(
    'F20: asks the jobs API about an end that only the socket reported, unless records appear whole: %s',
    async (recordsAppearWhole, isAsked) => {
      const { clock, asked } = confirm({
        history: [missing],
        status: [missing],
        end: { phase: 'cancelled' },
        recordsAppearWhole,
      });
      await clock.advance(120_000);
      expect(asked().job > 0).toBe(isAsked);
    },
  );

  it('asks no jobs API about a completed job where records appear whole', async () => {
    const { clock, asked, completed } = confirm({ history: [missing], recordsAppearWhole: true });
    await clock.advance(600_000);
    expect([asked().job, completed()]).toEqual([0, true]);
  });
});
