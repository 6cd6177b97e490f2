import { describe, expect, it } from 'vitest';
import { floorFold } from '../../benchmarks/baseline/fold.js';
import { jobEvents } from '../../benchmarks/tools/job-events.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { stepJobState } from '../../src/core/state/step-job-state.js';

describe('the floor of the fold benchmark', () => {
  it.each([1, 20])('gives the same state after every event of a job with %i nodes', (nodeCount) => {
    const events = jobEvents(500, nodeCount);
    expect(events).toHaveLength(500);
    let ours = initialJobState();
    let theirs = initialJobState();
    for (const event of events) {
      ours = stepJobState(ours, event);
      theirs = floorFold(theirs, event);
      expect(theirs).toEqual(ours);
    }
    expect(ours.phase).toBe('completed');
  });
});
