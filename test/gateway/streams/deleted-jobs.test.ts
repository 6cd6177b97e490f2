import { alice, life, openReader, playedGateway, submitted } from '../support.js';
import { describe, expect, it } from 'vitest';
import { settle } from '../../helpers/settle.js';

/** A gateway with two jobs that have ended. */
const withTwo = async () => {
  const gateway = await playedGateway();
  const ids: string[] = [];
  for (const promptId of ['p1', 'p2']) {
    ids.push((await submitted(gateway)).record.id);
    gateway.service.jobs.at(-1)!.move(life(promptId).at(-1)!);
  }
  await settle();
  return { ...gateway, ids };
};

describe('a job that is gone', () => {
  it('is told to the readers of all jobs of its owner, once, and to nobody else', async () => {
    const gateway = await withTwo();
    const [first = '', second = ''] = gateway.ids;
    const reader = await openReader(gateway, { owner: 'alice' });
    const other = await openReader(gateway, { owner: 'bob' });
    for (const one of [reader, other]) expect((await one.next())?.event).toBe('snapshot');
    for (const id of [first, second])
      expect(await gateway.jobs.delete(alice, id)).toMatchObject({ _tag: 'deleted' });
    const told = [await reader.next(), await reader.next()];
    expect(told.map((one) => [one?.event, one?.data])).toEqual([
      ['deleted', { job: first }],
      ['deleted', { job: second }],
    ]);
    expect(new Set(told.map((one) => one?.id)).size).toBe(2);
    await submitted(gateway, { name: 'bob' });
    expect((await other.next())?.event).toBe('submitted');
  });

  it('is told where its time is over, and a reader goes on after it by its id', async () => {
    const gateway = await withTwo();
    // A minute before: nobody reads meanwhile.
    await gateway.clock.advance(24 * 60 * 60 * 1_000 - 60_000);
    const reader = await openReader(gateway, { owner: 'alice' });
    expect((await reader.next())?.event).toBe('snapshot');
    const next = reader.next();
    await gateway.clock.advance(60_000);
    const gone = await next;
    expect([gone?.event, gateway.ids.includes(String(gone?.data['job']))]).toEqual(['deleted', true]);
    await reader.cut();
    const again = await openReader(gateway, { owner: 'alice' }, { after: gone?.id });
    await submitted(gateway);
    expect((await again.next())?.event).toBe('submitted');
  });
});
