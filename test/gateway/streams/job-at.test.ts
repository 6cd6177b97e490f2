import { describe, expect, it } from 'vitest';
import { alice, life, playedGateway, submitted, workflow } from '../support.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { jobAt } from '../../../src/server/gateway/streams/job-at.js';
import { newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { settle } from '../../helpers/settle.js';

/** A job that ran, was to be cancelled, and completed; its entry now, and the positions of its events. */
const lived = async () => {
  const { jobs, log, service } = await playedGateway();
  const before = await log.position('alice');
  const { record } = await submitted({ jobs });
  const [, running, ...rest] = life('p1', 1);
  service.jobs[0]!.move(running!);
  await settle();
  await jobs.cancel(alice, record.id);
  await settle();
  for (const state of rest) service.jobs[0]!.move(state);
  await settle();
  const scope = { owner: 'alice', jobId: record.id };
  const { events } = await log.read(scope, undefined, 99);
  const now = (await jobs.get(alice, record.id))!;
  const last = events.at(-1)!.id;
  return { log, events, before, last, entry: { ...newEntry(now.record, now.state), position: last } };
};

describe('a job at an earlier position of its log', () => {
  it('is as it was there: its state, and whether its end was asked for', async () => {
    const { log, events, last, entry } = await lived();
    expect(events.map(({ event }) => event.type)).toEqual([
      ...['submitted', 'status', 'cancelRequested', 'output', 'status'],
    ]);
    const seen = [];
    for (const { id } of events) {
      const then = (await jobAt(log, entry, id))!;
      seen.push([then.state.phase, then.record.cancelRequestedAt !== undefined]);
    }
    expect(seen).toEqual([
      ['pending', false],
      ['in_progress', false],
      ['in_progress', true],
      ['in_progress', true],
      ['completed', true],
    ]);
    expect(await jobAt(log, entry, last)).toBe(entry);
  });

  it('is as the gateway submitted it before its first event', async () => {
    const { log, before, entry } = await lived();
    const { record, state } = (await jobAt(log, entry, before))!;
    expect(record).not.toHaveProperty('cancelRequestedAt');
    expect(state).toEqual(initialJobState({ workflow, promptId: 'p1' }));
  });

  it('is unknown where there is no job, or its log has not all of its events', async () => {
    const { log, events, entry } = await lived();
    const [first] = events;
    expect(await jobAt(log, undefined, first!.id)).toBeUndefined();
    await log.expire('alice', entry.record.id);
    expect(await jobAt(log, entry, first!.id)).toBeUndefined();
  });
});
