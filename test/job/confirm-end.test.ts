import { describe, expect, it } from 'vitest';
import { confirmEnd } from '../../src/job/confirm-end.js';
import type { JobEnd } from '../../src/job/job-end.js';
import type { History } from '../../src/protocol/answers/history.js';
import type { JobStatus } from '../../src/protocol/answers/job-status.js';
import type { ServiceError } from '../../src/protocol/errors/errors.js';
import type { JobEvent } from '../../src/protocol/state/job-event.js';
import type { Outputs } from '../../src/protocol/outputs/outputs.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { answers, fakeRest } from '../helpers/fake-rest.js';

const image = { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] };
const missing = serviceError('NotFound', {});
const empty: History = { promptId: 'p', outputs: {}, phase: 'completed', record: {} };
const full: History = { ...empty, outputs: { 9: image } };

const confirm = (end: Partial<JobEnd>, known: Outputs, ...records: readonly (History | ServiceError)[]) => {
  const platform = fakePlatform();
  const history = answers(...records);
  const events: JobEvent[] = [];
  let completed = false;
  const subscription = confirmEnd(
    { platform, rest: fakeRest({ history: history.call }) },
    { promptId: 'p', phase: 'completed', ...end },
    () => known,
  ).subscribe({ next: (event) => events.push(event), complete: () => (completed = true) });
  return { clock: platform.clock, events, reads: history.count, completed: () => completed, subscription };
};

const confirmWith = (end: Partial<JobEnd>, record: History | ServiceError, phase: JobStatus['phase']) => {
  const platform = fakePlatform();
  // Whatever id a status gives itself, it is that of the job which was asked for.
  const jobStatus = answers<JobStatus>({ promptId: 'another', status: phase, phase });
  const events: JobEvent[] = [];
  confirmEnd(
    {
      platform,
      rest: fakeRest({ history: answers(record).call, jobStatus: jobStatus.call }),
    },
    { promptId: 'p', phase: 'completed', ...end },
    () => ({}),
  ).subscribe((event) => events.push(event));
  return { platform, events, asked: jobStatus.count };
};

describe('confirmEnd', () => {
  it("ends the job with history's outputs after one read", async () => {
    const { clock, events, reads, completed } = confirm({}, { 9: image }, full);
    await clock.advance(0);
    expect(events).toMatchObject([{ _tag: 'HistoryRead', phase: 'completed', outputs: { 9: image } }]);
    expect(reads()).toBe(1);
    expect(completed()).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it.each([
    ['not there', missing],
    ['without outputs', empty],
  ])('F4: reads again while the record is %s', async (_, late) => {
    const { clock, events, reads } = confirm({}, {}, late, late, full);
    await clock.advance(249);
    expect(reads()).toBe(1);
    await clock.advance(501);
    expect(reads()).toBe(3);
    expect(events).toMatchObject([{ _tag: 'HistoryRead', phase: 'completed', outputs: { 9: image } }]);
  });

  it('waits for a node whose output the socket had told', async () => {
    const { clock, events } = confirm({}, { 9: image, 12: image }, full, {
      ...full,
      outputs: { 9: image, 12: image },
    });
    await clock.advance(250);
    expect(events).toMatchObject([{ outputs: { 9: image, 12: image } }]);
  });

  it('F4: ends with what is known when the record stays away', async () => {
    const { clock, events, reads, completed } = confirm({}, { 9: image }, missing);
    await clock.advance(15_749);
    expect(events).toEqual([]);
    await clock.advance(1);
    expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'completed' }]);
    expect(reads()).toBe(7);
    expect(completed()).toBe(true);
  });

  it('adds what an incomplete record has before it ends', async () => {
    const { clock, events } = confirm({}, { 12: image }, full);
    await clock.advance(20_000);
    expect(events).toMatchObject([
      { _tag: 'HistoryRead', outputs: { 9: image } },
      { _tag: 'StatusRead', phase: 'completed' },
    ]);
    expect(events[0]).not.toHaveProperty('phase');
  });

  it('C10: lets the record win over what the socket said', async () => {
    const { clock, events } = confirm({ phase: 'failed' }, {}, full);
    await clock.advance(0);
    expect(events).toMatchObject([{ phase: 'completed', failure: undefined }]);
  });

  it.each(['NotFound', 'ServerError'] as const)(
    'lets the status win over the socket where the record answers %s',
    async (tag) => {
      const { platform, events } = confirmWith({ phase: 'failed' }, serviceError(tag, {}), 'completed');
      await platform.clock.advance(750);
      expect(events).toEqual([]);
      await platform.clock.advance(16_000);
      expect(events).toMatchObject([
        { _tag: 'StatusRead', promptId: 'p', phase: 'completed', failure: undefined },
      ]);
    },
  );

  it('waits for the outputs of a job that its record calls completed, whatever the socket said', async () => {
    const { clock, events } = confirm({ phase: 'failed' }, {}, empty, empty, empty, empty, full);
    await clock.advance(1_999);
    expect(events).toEqual([]);
    await clock.advance(1);
    expect(events).toMatchObject([{ phase: 'completed', outputs: { 9: image }, failure: undefined }]);
  });

  it('ends as the record says where its outputs stay away', async () => {
    const { clock, events } = confirm({ phase: 'failed' }, {}, empty);
    await clock.advance(16_000);
    expect(events).toMatchObject([
      { _tag: 'HistoryRead', outputs: {} },
      { _tag: 'StatusRead', phase: 'completed' },
    ]);
  });

  it('takes a status that is no end for no contradiction', async () => {
    const { platform, events, asked } = confirmWith({ phase: 'cancelled' }, missing, 'in_progress');
    await platform.clock.advance(750);
    expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'cancelled' }]);
    expect(asked()).toBe(1);
  });

  it('asks for no status where the record tells the end', async () => {
    const { platform, asked } = confirmWith({}, empty, 'failed');
    await platform.clock.advance(16_000);
    expect(asked()).toBe(0);
  });

  it('keeps the failure that the socket told in full', async () => {
    const failure = {
      exceptionType: 'OOMError',
      exceptionMessage: 'too big',
      traceback: ['x'],
      nodeErrors: {},
    };
    const { clock, events } = confirm({ phase: 'failed', failure }, {}, { ...empty, phase: 'failed' });
    await clock.advance(0);
    expect(events).toMatchObject([{ phase: 'failed', failure }]);
  });

  it('waits for the record of a job that did not complete only briefly', async () => {
    const { clock, events, reads } = confirm({ phase: 'cancelled' }, {}, missing);
    await clock.advance(750);
    expect(reads()).toBe(3);
    expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'cancelled' }]);
  });

  it('reads again while the record of a job that did not complete tells no end', async () => {
    const begun: History = { promptId: 'p', outputs: {}, record: {} };
    const { clock, events, reads } = confirm({ phase: 'cancelled' }, {}, begun, {
      ...full,
      phase: 'cancelled',
    });
    await clock.advance(250);
    expect(reads()).toBe(2);
    expect(events).toMatchObject([{ _tag: 'HistoryRead', phase: 'cancelled', outputs: { 9: image } }]);
  });

  it('drops nothing that the socket told of a failed job where the record has less', async () => {
    const { clock, events } = confirm({ phase: 'failed' }, { 9: image }, { ...empty, phase: 'failed' });
    await clock.advance(750);
    expect(events).toMatchObject([
      { _tag: 'HistoryRead', outputs: {} },
      { _tag: 'StatusRead', phase: 'failed' },
    ]);
    expect(events[0]).not.toHaveProperty('phase');
  });

  it('takes a failing history for no reason to doubt the end', async () => {
    const { clock, events } = confirm({}, { 9: image }, serviceError('ServerError', { status: 500 }));
    await clock.advance(16_000);
    expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'completed' }]);
  });

  it('stops reading on unsubscribe', async () => {
    const { clock, reads, subscription } = confirm({}, {}, missing);
    await clock.advance(250);
    subscription.unsubscribe();
    expect(clock.pending()).toBe(0);
    await clock.advance(20_000);
    expect(reads()).toBe(2);
  });
});
