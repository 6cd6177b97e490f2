import { describe, expect, it } from 'vitest';
import { acceptedJob } from '../../src/job/accepted-job.js';

const load = { class_type: 'LoadImage', inputs: {} };
const save = { class_type: 'SaveImage', inputs: { images: ['1', 0] } };
const workflow = { 1: load, 5: save, 9: save };
const nodeErrors = { 5: { classType: 'SaveImage', dependentOutputs: ['5'], errors: [] } };
const accepted = { submission: { promptId: 'p', nodeErrors }, claim: () => [], clientId: 'socket' };

describe('acceptedJob', () => {
  it('is pending, known to the service, with what was dropped of its workflow', () => {
    expect(acceptedJob({ dialect: 'cloud' }, workflow, accepted)).toMatchObject({
      initial: { promptId: 'p', phase: 'pending', nodeCount: 2, nodeErrors },
      sighted: true,
      claim: accepted.claim,
    });
  });

  it('is bound to the socket that was open, in the local dialect alone', () => {
    expect(acceptedJob({ dialect: 'local' }, workflow, accepted).boundTo).toBe('socket');
    expect(acceptedJob({ dialect: 'cloud' }, workflow, accepted).boundTo).toBeUndefined();
  });
});
