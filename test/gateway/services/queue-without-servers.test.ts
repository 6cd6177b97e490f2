import type { GatewayQueue } from '../../../src/server/gateway/services/gateway-queue.js';
import { EMPTY, lastValueFrom, NEVER, of } from 'rxjs';
import { expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { LoggedEvent } from '../../../src/queue.js';
import { queueUpstream } from '../../../src/server/gateway/upstream/queue-upstream.js';
import { statusOf } from '../../../src/core/events/state-members.js';

const plain = initialJobState({ workflow: {}, promptId: 'p', phase: 'pending' });
const placed = { ...plain, server: 'attic', attempt: 2 };
const status = (state: typeof plain): LoggedEvent => ({
  ...{ id: 'e-1', jobId: 'x' },
  event: { type: 'status', at: 7, status: statusOf(state) },
});
const wish: LoggedEvent = { id: 'e-2', jobId: 'x', event: { type: 'cancelRequested', at: 8 } };

const queue: GatewayQueue = {
  add: () => Promise.resolve('x'),
  follow: () => of(placed),
  previews: () => EMPTY,
  cancel: () => Promise.resolve(),
  stats: () => Promise.resolve({}),
  log: {
    append: () => Promise.resolve([]),
    read: () => Promise.resolve({ events: [status(placed), wish], gap: false, rest: status(placed) }),
    position: () => Promise.resolve('e-2'),
    expire: () => Promise.resolve(),
    changes: NEVER,
    progress: NEVER,
    latestProgress: () => Promise.resolve(undefined),
  },
};

it('leaves the servers of a queue out of what callers of a gateway read', async () => {
  const { job, log } = queueUpstream(queue, undefined);
  expect(await lastValueFrom(job('x').states)).toEqual(plain);
  expect(await log?.read({ owner: 'ann' }, undefined, 10)).toEqual({
    ...{ events: [status(plain), wish], gap: false, rest: status(plain) },
  });
  const whole = { ...queue.log!, read: () => Promise.resolve({ events: [wish], gap: false }) };
  const page = await queueUpstream({ ...queue, log: whole }, undefined).log?.read(
    { owner: 'ann' },
    undefined,
    10,
  );
  expect(page).toStrictEqual({ events: [wish], gap: false });
});
