import { describe, expect, it } from 'vitest';
import { life, openReader, playedGateway, submitted } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { settle } from '../../helpers/settle.js';

/** A gateway with a running job, whose next page of the log arrives only after the job has ended. */
const slowGateway = async () => {
  const log = memoryEventLog();
  let meanwhile: (() => Promise<void>) | undefined;
  const gateway = await playedGateway({
    log: {
      ...log,
      read: async (...args) => {
        const page = await log.read(...args);
        const work = args[2] > 1 ? meanwhile : undefined;
        if (work !== undefined) {
          meanwhile = undefined;
          await work();
        }
        return page;
      },
    },
  });
  const { record } = await submitted(gateway);
  const [played] = gateway.service.jobs;
  const states = life('p1');
  for (const state of states.slice(0, 4)) played!.move(state);
  await settle();
  return {
    gateway,
    scope: { owner: 'alice', jobId: record.id },
    endDuringRead: () => {
      meanwhile = async () => {
        played!.move(states.at(-1)!);
        await settle();
      };
    },
  };
};

describe('a stream whose read of the log is overtaken by the end of its job', () => {
  it.each(['native', 'v2'] as const)('K7: goes on to the last status, in the %s view', async (view) => {
    const { gateway, scope, endDuringRead } = await slowGateway();
    const reader = await openReader(gateway, scope, { from: 'start' }, { view });
    endDuringRead();
    const events = await reader.rest();
    expect(events.at(-1)).toMatchObject({
      event: 'status',
      data: view === 'v2' ? { status: 'succeeded' } : { status: { phase: 'completed' } },
    });
    expect(events.filter(({ event }) => event === 'output')).toHaveLength(view === 'v2' ? 4 : 2);
  });

  it('K7: begins a resumed stream of API v2 with the status of the place where it resumes', async () => {
    const { gateway, scope, endDuringRead } = await slowGateway();
    const fresh = await openReader(gateway, scope, { from: 'start' }, { view: 'v2' });
    const [, running] = [await fresh.next(), await fresh.next()];
    await fresh.cut();
    endDuringRead();
    const resumed = await openReader(gateway, scope, { after: running!.id }, { view: 'v2' });
    const statuses = (await resumed.rest()).filter(({ event }) => event === 'status');
    expect(statuses.map(({ data }) => data['status'])).toEqual(['running', 'succeeded']);
  });
});
