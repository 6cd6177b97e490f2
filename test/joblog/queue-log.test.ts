import { expect, it } from 'vitest';
import { isOfQueue } from '../../src/server/joblog/queue-log.js';

it('has the events of a job whose id the queue knows it by, and of no other one', () => {
  expect([isOfQueue({ id: 'x', submissionId: 'x' }), isOfQueue({ id: 'x', submissionId: 's' })]).toEqual([
    true,
    false,
  ]);
});
