import { expect, it } from 'vitest';
import { life, openReader, playedGateway, submitted } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { settle } from '../../helpers/settle.js';

it('shows no event to readers before its log keeps it, and no progress after the last status', async () => {
  const log = memoryEventLog();
  let keep: Promise<void> = Promise.resolve();
  const gateway = await playedGateway({
    log: {
      ...log,
      append: async (...args) => {
        const ids = await log.append(...args);
        await keep;
        return ids;
      },
    },
  });
  const { record } = await submitted(gateway);
  const states = life('p1', 1);
  gateway.service.jobs[0]!.move(states[1]!);
  await settle();
  const reader = await openReader(gateway, { owner: 'alice', jobId: record.id }, { from: 'start' });
  let kept = (): void => undefined;
  keep = new Promise((resolve) => (kept = resolve));
  gateway.service.jobs[0]!.move({ ...states[1]!, progress: 0.5 });
  gateway.service.jobs[0]!.move(states.at(-1)!);
  await settle();
  const events = [await reader.next(), await reader.next(), await reader.next()];
  expect(events.map((one) => one?.event)).toEqual(['submitted', 'status', 'progress']);
  const rest = reader.rest();
  kept();
  expect((await rest).map(({ event }) => event)).toEqual(['output', 'status']);
});
