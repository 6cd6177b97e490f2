import { applyJobEvent } from '../../../src/core/events/apply-job-event.js';
import { cancelledEvent } from '../../../src/server/queue/store/ended-event.js';
import { expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';

it('ends a job that no worker had as cancelled, at its moment', () => {
  const event = cancelledEvent(7);
  expect(event).toMatchObject({ type: 'status', at: 7, status: { phase: 'cancelled' } });
  const waiting = initialJobState({ workflow: {}, phase: 'pending' });
  expect(applyJobEvent(waiting, event)).toEqual(initialJobState({ workflow: {}, phase: 'cancelled' }));
});
