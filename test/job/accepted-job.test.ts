import { describe, expect, it } from 'vitest';
import { acceptedJob } from '../../src/job/accepted-job.js';
import { initialJobState } from '../../src/protocol/state/initial-job-state.js';

const submitting = initialJobState({ workflow: { 9: { class_type: 'SaveImage', inputs: {} } } });
const nodeErrors = { 5: { classType: 'SaveImage', dependentOutputs: ['5'], errors: [] } };
const accepted = { submission: { promptId: 'p', nodeErrors }, claim: () => [], clientId: 'socket' };

describe('acceptedJob', () => {
  it('is pending, known to the service, with what was dropped of its workflow', () => {
    expect(acceptedJob({ dialect: 'cloud' }, submitting, accepted)).toMatchObject({
      initial: { promptId: 'p', phase: 'pending', nodeCount: 1, nodeErrors },
      sighted: true,
      claim: accepted.claim,
    });
  });

  it('is bound to the socket that was open, in the local dialect alone', () => {
    expect(acceptedJob({ dialect: 'local' }, submitting, accepted).boundTo).toBe('socket');
    expect(acceptedJob({ dialect: 'cloud' }, submitting, accepted).boundTo).toBeUndefined();
  });
});
