import { expect, it } from 'vitest';
import type { EventLog } from '../../../src/server/joblog/event-log.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { NEVER } from 'rxjs';
import { othersEvents } from '../../../src/server/gateway/registry/others-events.js';
import { workflow } from '../support.js';

const record = (id: string): JobRecord => ({
  ...{
    id,
    owner: 'alice',
    client: 'default',
    createdAt: 1,
    expiresAt: 10,
    workflow,
    submissionId: `s-${id}`,
  },
});
const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });

/** A log that other processes write as well, and a board that notes what it gets: jobs with the times of their events. */
const setUp = ({
  isShared = true,
  log = memoryEventLog(),
  change = {},
}: {
  readonly isShared?: boolean;
  readonly log?: EventLog;
  readonly change?: Partial<EventLog>;
} = {}) => {
  const index = memoryJobIndex();
  const calls: string[] = [];
  let position: string | undefined;
  const shared = isShared ? { changes: NEVER } : {};
  const others = othersEvents({ ...log, ...shared, ...change }, index, {
    position: () => position,
    reached: (owner, to) => {
      position = to;
      calls.push(`${owner} is reached`);
    },
    put: ({ id }, events) => void calls.push(`put ${[id, ...events.map((one) => one.event.at)].join(' ')}`),
    take: (owner, { id, jobId, event: { at } }) => {
      position = id;
      calls.push(`take ${jobId} ${at} of ${owner}`);
      return Promise.resolve();
    },
  });
  const append = async (id: string, ...times: readonly number[]) => {
    if ((await index.get(id)) === undefined) await index.add(record(id));
    return log.append('alice', id, times.map(event));
  };
  const seen = () => calls.splice(0);
  return { index, others, append, seen, setPosition: (to?: string) => (position = to) };
};

it('begins with the jobs that there are, the oldest first, and with those whose events are told', async () => {
  const { index, others, append, seen } = setUp();
  await append('a', 1, 2);
  await append('b', 3);
  for (const id of ['ended', 'waits']) await index.add(record(id));
  await index.update('ended', { ended: { phase: 'failed', at: 5 } });
  await others.begin('alice');
  expect(seen()).toEqual(['put a 1 2', 'put b 3', 'put ended', 'alice is reached']);
  await append('a', 4);
  await others.begin('alice');
  expect(seen()).toEqual([]);
  await others.read('alice');
  await others.read('alice');
  expect(seen()).toEqual(['take a 4 of alice']);
});

it('begins before it reads, where it has not begun', async () => {
  const { others, append, seen } = setUp();
  await append('a', 1);
  await others.read('alice');
  expect(seen()).toEqual(['put a 1', 'alice is reached']);
});

it.each([199, 200, 201, 450])('reads all of %i events, in their order', async (count) => {
  const { others, append, seen } = setUp();
  await others.begin('alice');
  seen();
  const times = Array.from({ length: count }, (_, at) => at);
  await append('a', ...times);
  await others.read('alice');
  expect(seen()).toEqual(times.map((at) => `take a ${at} of alice`));
});

it('reads what is before its own events, and leaves those and what comes after', async () => {
  const { others, append, seen } = setUp();
  await others.begin('alice');
  await append('a', 1);
  const own = await append('b', 2, 3);
  await append('a', 4);
  seen();
  await others.read('alice', own);
  expect(seen()).toEqual(['take a 1 of alice']);
});

it('begins anew where events are gone that it has not read', async () => {
  let isCut = false;
  const log = memoryEventLog();
  const { others, append, seen } = setUp({
    log,
    change: {
      read: (scope, ...rest) =>
        isCut && scope.jobId === undefined
          ? Promise.resolve({ events: [], gap: true })
          : log.read(scope, ...rest),
    },
  });
  await others.begin('alice');
  await append('a', 1, 2);
  seen();
  isCut = true;
  await others.read('alice');
  expect(seen()).toEqual(['put a 1 2', 'alice is reached']);
});

it('sets a job to what the log says up to the position that is reached, and no further', async () => {
  const { others, append, seen, setPosition } = setUp();
  await others.reload(record('a'));
  const [, second] = await append('a', 1, 2);
  await append('a', 3);
  setPosition(second);
  await others.reload(record('a'));
  expect(seen()).toEqual(['put a 1 2']);
});

it('holds no events of others where one process has the log alone', async () => {
  const { others, append, seen } = setUp({ isShared: false });
  await append('a', 1);
  await others.begin('alice');
  await append('a', 2);
  await others.read('alice');
  expect(seen()).toEqual(['alice is reached']);
});
