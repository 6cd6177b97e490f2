import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { readSubmission } from '../../src/endpoints/submit.js';

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
