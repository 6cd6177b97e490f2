import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { readSubmission, submitEndpoint } from '../../src/core/endpoints/submit.js';

const workflow = { 1: { class_type: 'A', inputs: {} } };

describe('submitEndpoint', () => {
  it('posts the workflow once, under the id that was chosen', () => {
    expect(submitEndpoint(workflow, { promptId: 'p' })).toMatchObject({
      method: 'POST',
      path: '/api/prompt',
      idempotency: 'submission',
      json: JSON.stringify({ prompt: workflow, prompt_id: 'p' }),
    });
  });

  const partnerKey = { field: 'their_key', value: 'k' };

  it.each([
    [{}, {}],
    [
      { clientId: 'c', promptId: 'p' },
      { client_id: 'c', prompt_id: 'p' },
    ],
    [{ extraData: { a: 1 } }, { extra_data: { a: 1 } }],
    [{ partnerKey }, { extra_data: { their_key: 'k' } }],
    [{ extraData: { a: 1 }, partnerKey }, { extra_data: { a: 1, their_key: 'k' } }],
  ])('sends the workflow and what it is given with it: %j', (fields, sent) => {
    expect(JSON.parse(submitEndpoint(workflow, fields).json ?? '')).toEqual({ prompt: workflow, ...sent });
  });

  it.each([
    [{ error: 'no' }, 'refused'],
    [{ error: 'odd', prompt_id: 'p' }, undefined],
    [{ error: '' }, undefined],
    [{ prompt_id: 'p' }, undefined],
    [{}, undefined],
    [null, undefined],
    ['error', undefined],
  ])('takes the answer %j with the status of a success for %s', (json, refusedAs) => {
    expect(submitEndpoint(workflow).refusedAs?.(json)).toBe(refusedAs);
  });
});

describe('readSubmission', () => {
  it('reads the answer, with the branches that were dropped', () => {
    const result = readSubmission({
      prompt_id: 'job',
      number: 4,
      node_errors: { '3': { class_type: 'KSampler' } },
    });
    expect(result).toMatchObject({
      right: { promptId: 'job', number: 4, nodeErrors: { '3': { classType: 'KSampler' } } },
    });
  });

  it('demands the id only', () => {
    expect(readSubmission({ prompt_id: 'job' })).toEqual(E.right({ promptId: 'job', nodeErrors: {} }));
    expect(readSubmission({ prompt_id: 'job', number: '4', node_errors: [], error: 'odd' })).toEqual(
      E.right({ promptId: 'job', nodeErrors: {} }),
    );
  });

  it.each([
    undefined,
    null,
    [],
    'job',
    {},
    { prompt_id: '' },
    { prompt_id: 7 },
    { error: { type: 'refused' } },
  ])('E12: refuses %j', (json) => {
    expect(readSubmission(json)).toEqual(E.left('the answer names no prompt_id'));
  });
});
