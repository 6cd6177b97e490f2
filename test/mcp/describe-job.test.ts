import { expect, it } from 'vitest';
import { describeJob } from '../../src/server/mcp/describe-job.js';
import { jobState } from '../cli/helpers/job-state.js';

it('tells each warning whole', () => {
  const warnings = ['the first warning', 'the second warning', 'the third\nwarning'];
  expect(describeJob(jobState([], { warnings }), [])).toMatchObject({
    warnings: ['the first warning', 'the second warning', 'the third warning'],
  });
});
