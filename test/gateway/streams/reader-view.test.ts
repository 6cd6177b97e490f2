import { expect, it } from 'vitest';
import type { JobPhase } from '../../../src/core/state/job-state.js';
import { markAllChanged, type ReaderContext } from '../../../src/server/gateway/streams/reader-view.js';

it('of all its jobs a reader looks for progress and pictures of those that go on', () => {
  const phases: readonly JobPhase[] = [
    'submitting',
    'pending',
    'in_progress',
    'completed',
    'failed',
    'cancelled',
  ];
  const jobs = phases.map((phase) => ({ record: { id: phase }, state: { phase } }));
  const marked: string[] = [];
  const current = { markChanged: (id: string) => void marked.push(id) };
  markAllChanged({ jobs: () => jobs, current } as unknown as ReaderContext);
  expect(marked).toEqual(['submitting', 'pending', 'in_progress']);
});
