import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { jobDetailEndpoint, readJobDetail } from '../../src/core/endpoints/job-detail.js';

const outputs = { 9: { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };

describe('jobDetailEndpoint', () => {
  it('asks the jobs API for one job', () => {
    const endpoint = jobDetailEndpoint('a/b');
    expect(endpoint).toMatchObject({
      method: 'GET',
      path: '/api/jobs/a%2Fb',
      idempotency: 'always',
      promptId: 'a/b',
    });
    expect(endpoint.read({ status: 'pending' })).toEqual(readJobDetail({ status: 'pending' }, 'a/b'));
  });
});

describe('readJobDetail', () => {
  it('F17: reads the state of a job, its outputs and how many there are', () => {
    expect(readJobDetail({ id: 'job', status: 'completed', outputs, outputs_count: 2 }, 'job')).toEqual(
      E.right({ promptId: 'job', status: 'completed', phase: 'completed', outputs, outputsCount: 2 }),
    );
  });

  it('reads what was submitted', () => {
    const workflow = { prompt: { 9: {} }, extra_data: { mark: 1 } };
    expect(readJobDetail({ status: 'pending', workflow }, 'job')).toMatchObject({
      right: { workflow: { 9: {} }, extraData: { mark: 1 } },
    });
  });

  it('F17: reads that there are no outputs', () => {
    expect(readJobDetail({ status: 'completed', outputs_count: 0 }, 'job')).toMatchObject({
      right: { outputsCount: 0 },
    });
  });

  it.each([undefined, null, -1, 1.5, '2'])('takes no count from %j', (count) => {
    const answer = readJobDetail({ status: 'completed', outputs_count: count }, 'job');
    expect(answer).toEqual(
      E.right({ promptId: 'job', status: 'completed', phase: 'completed', outputs: {} }),
    );
  });

  it('F20: reads why a job failed', () => {
    const error = { exception_type: 'OOMError', exception_message: 'too big', node_id: '3' };
    expect(readJobDetail({ status: 'failed', execution_error: error }, 'job')).toMatchObject({
      right: { phase: 'failed', failure: { exceptionType: 'OOMError', nodeId: '3' } },
    });
  });

  it('M4: reads a job as failed whose detail has an error of its run, though its word is completed', () => {
    const error = {
      exception_type: 'graph.DependencyCycleError',
      exception_message: 'a cycle',
      node_id: '3',
    };
    expect(readJobDetail({ status: 'completed', execution_error: error }, 'job')).toMatchObject({
      right: { status: 'completed', phase: 'failed', failure: { nodeId: '3' } },
    });
    const blocked = { exception_type: 'ExecutionBlocked', exception_message: 'left out' };
    expect(readJobDetail({ status: 'completed', execution_error: blocked }, 'job')).toMatchObject({
      right: { phase: 'completed' },
    });
  });

  it.each([undefined, null, '', 7])('takes no reason from %j', (error) => {
    const answer = readJobDetail({ status: 'failed', execution_error: error }, 'job');
    expect(E.isRight(answer) && 'failure' in answer.right).toBe(false);
  });

  it('F20: reads a reason that is a text, and none of a job that did not fail', () => {
    expect(readJobDetail({ status: 'failed', execution_error: 'lost it' }, 'job')).toMatchObject({
      right: { failure: { exceptionMessage: 'lost it' } },
    });
    const answer = readJobDetail({ status: 'completed', execution_error: 'lost it' }, 'job');
    expect(E.isRight(answer) && 'failure' in answer.right).toBe(false);
  });

  it.each([null, [], {}, { status: 7 }, '<html>'])('refuses %j', (json) => {
    expect(E.isLeft(readJobDetail(json, 'job'))).toBe(true);
  });
});
