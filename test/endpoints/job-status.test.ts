import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { jobStatusEndpoint, readJobStatus } from '../../src/core/endpoints/job-status.js';

describe('jobStatusEndpoint', () => {
  it('asks for the status of one job', () => {
    const endpoint = jobStatusEndpoint('a/b');
    expect(endpoint).toMatchObject({
      method: 'GET',
      path: '/api/job/a%2Fb/status',
      idempotency: 'always',
      promptId: 'a/b',
    });
    expect(endpoint.read({ status: 'pending' })).toEqual(readJobStatus({ status: 'pending' }, 'a/b'));
  });
});

describe('readJobStatus', () => {
  it('reads the whole answer', () => {
    expect(
      readJobStatus({
        id: 'job',
        status: 'executing',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:01Z',
        error_message: null,
        assigned_inference: null,
      }),
    ).toEqual(
      E.right({
        promptId: 'job',
        status: 'executing',
        phase: 'in_progress',
        createdAt: '2026-01-01T00:00:00Z',
        updatedAt: '2026-01-01T00:00:01Z',
      }),
    );
  });

  it('takes any word, and the id that was asked for where none is repeated', () => {
    const answer = { status: 'brand_new', id: 7, created_at: null, updated_at: null };
    for (const asked of ['asked', undefined])
      expect(readJobStatus(answer, asked)).toStrictEqual(
        E.right({ promptId: asked ?? '', status: 'brand_new', phase: 'pending' }),
      );
  });

  it.each([
    [{ error_message: 'The worker is gone.' }, 'Unknown', 'The worker is gone.'],
    [
      { error_message: '{"exception_type": "OOMError", "exception_message": "no room\\n"}' },
      'OOMError',
      'no room',
    ],
    [
      { execution_error: { exception_type: 'ValueError', exception_message: 'boom' }, error_message: 'x' },
      'ValueError',
      'boom',
    ],
    [{ error_message: '' }, 'Unknown', 'The service ended the job as "lost".'],
    [{ error_message: null }, 'Unknown', 'The service ended the job as "lost".'],
    [{}, 'Unknown', 'The service ended the job as "lost".'],
  ])('tells why a job failed: %j', (about, exceptionType, exceptionMessage) => {
    expect(readJobStatus({ id: 'job', status: 'lost', ...about })).toMatchObject({
      right: { phase: 'failed', failure: { exceptionType, exceptionMessage } },
    });
  });

  it('has no failure for a job that did not fail, whatever the answer holds', () => {
    const result = readJobStatus({ id: 'job', status: 'erroring', error_message: 'soon' });
    expect(E.isRight(result) && 'failure' in result.right).toBe(false);
  });

  it.each([undefined, null, [], 'completed', {}, { id: 'job' }, { id: 'job', status: null }])(
    'refuses %j',
    (json) => {
      expect(E.isLeft(readJobStatus(json))).toBe(true);
    },
  );
});
