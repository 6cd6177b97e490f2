import { alice, bob, life, openReader, playedGateway, previewOf, submitted } from '../support.js';
import { expect, it } from 'vitest';
import type { StreamForm } from '../../../src/server/gateway/model/gateway-jobs.js';

it.each<readonly [string, boolean, StreamForm['view']]>([
  ['all of an owner’s jobs', false, 'native'],
  ['one job', true, 'native'],
  ['one job in API v2', true, 'v2'],
])(
  'a stream of %s tells nothing of the jobs of others, and no progress or picture of them',
  async (_, ofOne, view) => {
    const gateway = await playedGateway();
    const own = (await submitted(gateway, alice)).record.id;
    await submitted(gateway, bob);
    const [mine, theirs] = gateway.service.jobs;
    const reader = await openReader(gateway, { owner: 'alice', ...(ofOne && { jobId: own }) }, {}, { view });
    await reader.next();
    const next = reader.next();
    const running = life(theirs!.promptId)[1]!;
    theirs!.move(running);
    await gateway.clock.advance(600);
    theirs!.move({ ...running, progress: 0.5 });
    theirs!.frame(previewOf(theirs!, '2', 3));
    await gateway.clock.advance(600);
    theirs!.move(life(theirs!.promptId).at(-1)!);
    await gateway.clock.advance(600);
    mine!.move(life(mine!.promptId)[1]!);
    const { event, data } = (await next)!;
    expect([event, view === 'v2' ? data['status'] : data['job']]).toEqual([
      'status',
      view === 'v2' ? 'running' : own,
    ]);
    await reader.cut();
  },
);
