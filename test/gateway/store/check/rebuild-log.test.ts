import { checkStore } from '../../../../src/server/gateway/store/check/check-store.js';
import { eventLogIn } from '../../../../src/server/gateway/store/event-log.js';
import { expect, it } from 'vitest';
import type { LifecycleEvent } from '../../../../src/core/events/job-log-event.js';
import { MemoryLevel } from 'memory-level';
import { storeOf } from '../../../../src/server/gateway/store/store.js';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });
const eventKey = (number: number): string => `event!alice!${String(number).padStart(16, '0')}`;

/** A log of job `x` with events 1 to 3, and of job `y` with 4 and 5. */
const filled = async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  const check = async (repair: boolean): Promise<readonly string[]> => {
    const told: string[] = [];
    await checkStore(level, { now: 1, all: false, repair, tell: (message) => told.push(message) });
    return told;
  };
  await check(true);
  const first = eventLogIn(storeOf(level));
  const ids = [
    ...(await first.append('alice', 'x', [event(1), event(2), event(3)])),
    ...(await first.append('alice', 'y', [event(4), event(5)])),
  ];
  /** What a process that starts anew reads after an event, of the owner or of a job. */
  const read = async (after: number | undefined, jobId?: string) => {
    const scope = { owner: 'alice', ...(jobId !== undefined && { jobId }) };
    const position = after === undefined ? undefined : ids[after - 1];
    const { events, gap } = await eventLogIn(storeOf(level)).read(scope, position, 99);
    return gap ? 'gap' : events.map((one) => one.event.at);
  };
  return { level, check, read, append: eventLogIn(storeOf(level)).append };
};

it('the last events of a log that are lost are a gap, to readers of the owner and of their job', async () => {
  const { level, check, read, append } = await filled();
  await level.del(eventKey(5));
  // A reader of the job notices it before any check does.
  expect(await read(undefined, 'y')).toBe('gap');
  const told = [
    'Events of the job y of alice up to 5 are lost.',
    'The value log!alice!y was wrong: it follows from others.',
    '1 entry of alice led to events that are lost.',
    'The value owner!alice was wrong: it follows from others.',
  ];
  expect((await check(true)).slice(0, 4)).toEqual(told);
  expect([await read(4), await read(3), await read(undefined, 'y'), await read(4, 'y')]).toEqual(
    Array(4).fill('gap'),
  );
  expect([await read(5), await read(undefined, 'x'), await read(1, 'x')]).toEqual([[], [1, 2, 3], [2, 3]]);
  // No number is given twice.
  expect((await append('alice', 'x', [event(6)]))[0]).toMatch(/-6$/u);
  expect([await read(5), await check(true)]).toEqual([[6], []]);
});

it('events in the middle that are lost are a gap to who has not read them', async () => {
  const { level, check, read } = await filled();
  for (const number of [2, 3]) await level.del(eventKey(number));
  // Nothing that a start looks at tells of them: a reader does.
  expect([await check(true), await read(1)]).toEqual([[], 'gap']);
  await level.del('owner!alice');
  const told = await check(true);
  expect(told).toContain('Events 2 to 3 of alice are lost.');
  expect(told).toContain('2 entries of alice led to events that are lost.');
  expect((await level.keys().all()).filter((key) => key.startsWith('event-of!alice!x'))).toHaveLength(1);
  expect([await read(undefined, 'x'), await read(undefined, 'y'), await check(true)]).toEqual([
    ...['gap', [4, 5], []],
  ]);
});

it('an entry that leads to an event is made anew from the event', async () => {
  const { level, check, read } = await filled();
  const leads = `event-of!alice!y!${String(4).padStart(16, '0')}`;
  await level.del(leads);
  await level.del('log!alice!y');
  const told = await check(true);
  expect(told).toContain(`The entry ${leads} was missing: it follows from the event.`);
  expect([await read(undefined, 'y'), await read(undefined), await check(true)]).toEqual([
    ...[[4, 5], [1, 2, 3, 4, 5], []],
  ]);
});
