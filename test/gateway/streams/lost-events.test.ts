import { describe, expect, it } from 'vitest';
import { alice, life, openReader, playedGateway, type ReadEvent, submitted } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { settle } from '../../helpers/settle.js';

/** A gateway whose log has lost all events of a job that has ended, and the id of the job. */
const forgetful = async () => {
  const gateway = await playedGateway({ log: memoryEventLog({ maxEvents: 6 }) });
  const { record } = await submitted(gateway);
  for (const state of life('p1')) gateway.service.jobs[0]!.move(state);
  await settle();
  await submitted(gateway);
  await submitted(gateway);
  return { gateway, jobId: record.id };
};

const names = (events: readonly (ReadEvent | undefined)[]) => events.map((one) => one?.event);

describe('a log that lost events', () => {
  it('tells a reader of a job that is over of the gap once, and ends its stream', async () => {
    const { gateway, jobId } = await forgetful();
    const scope = { owner: 'alice', jobId };
    const reader = await openReader(gateway, scope, { from: 'start' });
    const first = [await reader.next(), await reader.next(), await reader.next()];
    expect(names(first)).toEqual(['gap', 'snapshot', undefined]);
    const again = await openReader(gateway, scope, { after: first[1]!.id });
    expect(await again.next()).toBeUndefined();
  });

  it('tells a reader of everything that is kept of the gap', async () => {
    const { gateway } = await forgetful();
    const reader = await openReader(gateway, { owner: 'alice' }, { from: 'start' });
    expect(names([await reader.next(), await reader.next()])).toEqual(['gap', 'snapshot']);
    await reader.cut();
  });

  it('tells a reader in the words of v2 of the gap where the status of then is unknown', async () => {
    const gateway = await playedGateway({ log: memoryEventLog({ maxEvents: 6 }) });
    const { record } = await submitted(gateway);
    const scope = { owner: 'alice', jobId: record.id };
    const states = life('p1', 3);
    gateway.service.jobs[0]!.move(states[1]!);
    await settle();
    for (let other = 0; other < 5; other += 1) await submitted(gateway);
    // From here on the events of these go first.
    for (const other of [1, 2, 3]) gateway.service.jobs[other]!.move(life(`p${other + 1}`).at(-1)!);
    await settle();
    gateway.service.jobs[0]!.move(states[3]!);
    await settle();
    const reader = await openReader(gateway, scope, { from: 'latest' }, { view: 'v2' });
    const now = (await reader.next())!;
    await reader.cut();
    for (const state of states.slice(4)) gateway.service.jobs[0]!.move(state);
    await settle();
    const resumed = await openReader(gateway, scope, { after: now.id }, { view: 'v2' });
    const events = await resumed.rest();
    expect(names(events)[0]).toBe('gap');
    expect(events.at(-1)).toMatchObject({ event: 'status', data: { status: 'succeeded' } });
  });

  it('tells a new reader in the words of v2 of the gap where outputs of the job so far are lost', async () => {
    const gateway = await playedGateway({ log: memoryEventLog({ maxEvents: 6 }) });
    const { record } = await submitted(gateway);
    for (const state of life('p1').slice(0, 4)) gateway.service.jobs[0]!.move(state);
    await settle();
    for (let other = 0; other < 6; other += 1) await submitted(gateway);
    const reader = await openReader(gateway, { owner: 'alice', jobId: record.id }, {}, { view: 'v2' });
    expect(names([await reader.next(), await reader.next()])).toEqual(['gap', 'status']);
    await reader.cut();
  });

  it('gives the status of a place before the cancellation to a reader that resumes there', async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const scope = { owner: 'alice', jobId: record.id };
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    await settle();
    const reader = await openReader(gateway, scope, { from: 'start' }, { view: 'v2' });
    const [, running] = [await reader.next(), await reader.next()];
    await reader.cut();
    await gateway.clock.advance(10);
    await gateway.jobs.cancel(alice, record.id);
    const resumed = await openReader(gateway, scope, { after: running!.id }, { view: 'v2' });
    const words = [(await resumed.next())?.data['status'], (await resumed.next())?.data['status']];
    await resumed.cut();
    expect(words).toEqual(['running', 'canceling']);
  });
});
