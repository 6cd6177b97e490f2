import { concludeEnd, type EndSource, isBare, type JobEnd, jobEnd } from '../../src/client/jobs/job-end.js';
import { describe, expect, it } from 'vitest';
import { event, promptId } from '../helpers/job-events.js';
import { failureByWord, type JobFailure, unknownFailure } from '../../src/core/state/failure.js';

const failure = (exceptionType: string, more: Partial<JobFailure> = {}): JobFailure => ({
  exceptionType,
  exceptionMessage: 'said so',
  traceback: [],
  nodeErrors: {},
  ...more,
});
const told = (source: EndSource, phase: JobEnd['phase'], why?: JobFailure): JobEnd => ({
  promptId,
  source,
  phase,
  ...(why !== undefined && { failure: why }),
});

describe('concludeEnd', () => {
  it.each<[EndSource, EndSource]>([
    ['record', 'detail'],
    ['detail', 'status'],
    ['status', 'socket'],
    ['record', 'socket'],
  ])('C10: believes %s rather than %s, whichever spoke first', (source, other) => {
    const [better, worse] = [told(source, 'completed'), told(other, 'cancelled')];
    expect(concludeEnd([better, worse])).toEqual(better);
    expect(concludeEnd([worse, better])).toEqual(better);
  });

  it('believes what a source said first', () => {
    expect(concludeEnd([told('socket', 'completed'), told('socket', 'cancelled')]).phase).toBe('completed');
  });

  it.each([undefined, unknownFailure(), failureByWord('error')])(
    'F19, F20: lets a failure without a reason, %j, give way to what says more',
    (bare) => {
      const record = told('record', 'failed', bare);
      expect(concludeEnd([record, told('socket', 'cancelled')])).toEqual(told('socket', 'cancelled'));
      const reason = failure('OOMError', { nodeId: '3' });
      expect(concludeEnd([record, told('socket', 'failed', reason)])).toEqual(
        told('socket', 'failed', reason),
      );
      expect(concludeEnd([record, told('socket', 'completed')])).toMatchObject(told('record', 'failed'));
    },
  );

  it('F19: lets no reason that was found give way', () => {
    const reason = failure('ValueError');
    expect(concludeEnd([told('socket', 'cancelled'), told('record', 'failed', reason)])).toEqual(
      told('record', 'failed', reason),
    );
  });

  it('F20: gives the failure that says most, and of two that say as much the one of the socket', () => {
    const [short, long] = [failure('OOMError'), failure('OOMError', { nodeId: '3' })];
    const [record, socket] = [told('record', 'failed', short), told('socket', 'failed', long)];
    expect(concludeEnd([socket, record]).failure).toBe(long);
    expect(concludeEnd([told('record', 'failed', long), told('socket', 'failed', short)]).failure).toBe(long);
    const whole = failure('OOMError', { nodeId: '3', traceback: ['t'] });
    expect(concludeEnd([told('record', 'failed', long), told('socket', 'failed', whole)]).failure).toBe(
      whole,
    );
  });

  it('has no failure where the job did not fail', () => {
    const end = concludeEnd([told('record', 'completed'), told('socket', 'failed', failure('E'))]);
    expect('failure' in end).toBe(false);
  });
});

describe('jobEnd', () => {
  it.each(['completed', 'failed', 'cancelled'] as const)('reads %s of status and record', (phase) => {
    const why = failure('E');
    expect(jobEnd({ _tag: 'StatusRead', promptId, phase, failure: why })).toEqual(told('status', phase, why));
    expect(jobEnd({ _tag: 'HistoryRead', promptId, phase, failure: why, outputs: {} })).toEqual(
      told('record', phase, why),
    );
  });

  it('reads the ends of the socket', () => {
    const error = event('execution_error', { exception_type: 'E', exception_message: 'm', node_id: '3' });
    expect(jobEnd(event('execution_success'))).toEqual(told('socket', 'completed'));
    expect(jobEnd(event('execution_interrupted'))).toEqual(told('socket', 'cancelled'));
    expect(jobEnd(error)).toMatchObject({ source: 'socket', phase: 'failed', failure: { nodeId: '3' } });
  });

  it.each([
    event('execution_start'),
    event('execution_error', { exception_type: 'ExecutionBlocked' }),
    event('executing', { node: null }),
    { ...event('execution_success'), promptId: undefined },
    { _tag: 'Text', promptId, nodeId: '1', text: 'x' } as const,
    { _tag: 'StatusRead', promptId, phase: 'in_progress' } as const,
    { _tag: 'HistoryRead', promptId, outputs: {} } as const,
    { _tag: 'Untraceable', promptId } as const,
  ])('C6: finds no end in %j', (told) => {
    expect(jobEnd(told)).toBeUndefined();
  });
});

describe('isBare', () => {
  it.each([
    [told('record', 'failed'), true],
    [told('record', 'failed', unknownFailure()), true],
    [told('record', 'failed', unknownFailure('no worker')), false],
    [told('record', 'failed', failure('E')), false],
    [told('record', 'cancelled'), false],
    [told('record', 'completed'), false],
  ])('F20: of %j is %s', (end, bare) => {
    expect(isBare(end)).toBe(bare);
  });
});
