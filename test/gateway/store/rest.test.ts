import { expect, it } from 'vitest';
import { life, playedGateway, submitted } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';

it('K1: knows after a restart what a job came to whose events made room for others', async () => {
  const ports = { index: memoryJobIndex(), log: memoryEventLog({ maxEvents: 6 }) };
  const first = await playedGateway(ports);
  const states = life('p1');
  const job = await submitted(first);
  for (const state of states) first.service.jobs[0]!.move(state);
  await first.clock.advance(0);
  for (let count = 0; count < 4; count += 1) {
    await submitted(first);
    first.service.jobs.at(-1)!.move(life(`p${count + 2}`)[1]!);
    await first.clock.advance(0);
  }
  const scope = { owner: 'alice', jobId: job.record.id };
  expect(await ports.log.read(scope, undefined, 99)).toMatchObject({ events: [], gap: true });
  await first.jobs.close();

  const second = await playedGateway(ports, first.service);
  const found = await second.jobs.get({ name: 'alice' }, job.record.id);
  expect(found?.state).toEqual(states.at(-1));
  await second.jobs.close();
});
