import { expect, it } from 'vitest';
import { life, openReader, playedGateway, submitted } from '../support.js';
import { settle } from '../../helpers/settle.js';

it.each(['native', 'v2'] as const)(
  'the stream of a job that is over has all its events, also those beyond a page of the log: %s',
  async (view) => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const [played] = gateway.service.jobs;
    const states = life('p1');
    for (let nth = 0; nth < 450; nth += 1) played!.move({ ...states[1]!, warnings: [`warning ${nth}`] });
    for (const state of states.slice(2)) played!.move(state);
    await settle();
    const reader = await openReader(
      gateway,
      { owner: 'alice', jobId: record.id },
      { from: 'start' },
      { view },
    );
    const events = await reader.rest();
    expect(events.filter(({ event }) => event === 'output')).toHaveLength(view === 'v2' ? 4 : 2);
    expect(events.at(-1)).toMatchObject({ event: 'status' });
    if (view === 'native') expect(events.length).toBeGreaterThan(450);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  },
);
