import { expect, it } from 'vitest';
import type { LoggedEvent, LogPage } from '../../../src/server/joblog/event-log.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { logWithoutServers } from '../../../src/server/gateway/upstream/without-servers.js';
import type { QueueLog } from '../../../src/server/joblog/queue-log.js';
import { statusOf } from '../../../src/core/events/state-members.js';

const placed = { ...statusOf(initialJobState({ promptId: 'p' })), server: 'attic', attempt: 2 };
const status = (id: string): LoggedEvent => ({
  id,
  jobId: 'j',
  event: { type: 'status', at: 1, status: placed },
});
const cancelled: LoggedEvent = { id: 'e-3', jobId: 'j', event: { type: 'cancelRequested', at: 2 } };

const readOf = (page: LogPage): Promise<LogPage> => {
  const log = { read: () => Promise.resolve(page) } as unknown as QueueLog;
  return logWithoutServers(log).read({ owner: 'o' }, undefined, 10);
};

it('tells no caller the server and the attempt of a job, also in the state that a page begins with', async () => {
  const { events, rest, gap } = await readOf({
    events: [status('e-2'), cancelled],
    rest: status('e-1'),
    gap: false,
  });
  expect(JSON.stringify([events, rest])).not.toMatch(/attic|attempt/u);
  expect([events[0]?.id, events[1], rest?.id, gap]).toEqual(['e-2', cancelled, 'e-1', false]);
});

it('leaves a page that begins with no state as it is', async () => {
  expect(await readOf({ events: [cancelled], gap: true })).toStrictEqual({ events: [cancelled], gap: true });
});
