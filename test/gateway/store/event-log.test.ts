import { expect, it } from 'vitest';
import { eventLogIn } from '../../../src/server/gateway/store/event-log.js';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { life } from '../support.js';
import type { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { MemoryLevel } from 'memory-level';
import { statusOf } from '../../../src/core/events/state-members.js';
import { storedText } from '../../../src/server/gateway/store/stored-value.js';
import { storeOf } from '../../../src/server/gateway/store/store.js';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });
const events = (count: number) => Array.from({ length: count }, (_, at) => event(at + 1));
const end: LifecycleEvent = { type: 'status', at: 99, status: statusOf(life('p').at(-1)!) };
const owner = 'alice';

/** A log whose entries the test sees, and what else opens the same store. */
const aStore = (limits: Parameters<typeof eventLogIn>[1] = {}) => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  const open = () => eventLogIn(storeOf(level), limits);
  return { level, open, log: open() };
};
const momentsIn = ({ events: found }: Awaited<ReturnType<ReturnType<typeof memoryEventLog>['read']>>) =>
  found.map((one) => one.event.at);

it('a position is a number of the log as it writes them, and 0 stands before the first event', async () => {
  const { log, open } = aStore();
  const [first = ''] = await log.append(owner, 'x', events(3));
  const epoch = first.slice(0, -2);
  const again = open();
  const read = async (after: string) => {
    const page = await again.read({ owner }, after, 9);
    return page.gap ? 'gap' : momentsIn(page);
  };
  expect(await read(`${epoch}-0`)).toEqual([1, 2, 3]);
  expect([await read(first), await read(`${epoch}-3`)]).toEqual([[2, 3], []]);
  for (const wrong of ['-01', '-4', '-', '--1', '-1.5', '-1 ', '~-1', '-9999999999999999'])
    expect([wrong, await read(epoch + wrong)]).toEqual([wrong, 'gap']);
  expect(await read(` ${first}`)).toBe('gap');
});

it('the log of an owner without events has a position, which stays', async () => {
  const { log, open } = aStore();
  const position = await log.position(owner);
  expect(position).toMatch(/-0$/u);
  expect(await open().position(owner)).toBe(position);
  const [first = ''] = await log.append(owner, 'x', events(1));
  expect(first.slice(0, -1)).toBe(position.slice(0, -1));
  expect(await log.append(owner, 'x', [])).toEqual([]);
  expect(await log.position(owner)).toBe(first);
});

it('K3: events go on after the last one where the head of their owner was damaged, in a log of another name', async () => {
  const { level, log, open } = aStore();
  const before = await log.append(owner, 'x', events(2));
  await level.put(`owner!${owner}`, 'damaged');
  const again = open();
  const [next = ''] = await again.append(owner, 'x', [event(3)]);
  expect(next).toMatch(/-3$/u);
  expect(next.split('-')[0]).not.toBe(before[0]?.split('-')[0]);
  expect((await again.read({ owner }, before[1], 9)).gap).toBe(true);
  expect(momentsIn(await open().read({ owner, jobId: 'x' }, undefined, 9))).toEqual([1, 2, 3]);
});

it('the events of a job are forgotten with every entry that leads to them, however many they are', async () => {
  const { level, log, open } = aStore();
  await log.append(owner, 'y', [event(1)]);
  const whole = (await level.keys().all()).filter(
    (key) => !key.startsWith('owner!') && !key.startsWith('total!'),
  );
  await log.append(owner, 'x', events(501));
  await log.expire(owner, 'none');
  expect((await open().read({ owner, jobId: 'x' }, undefined, 999)).events).toHaveLength(501);
  await log.expire(owner, 'x');
  const left = await level.keys().all();
  expect(left.filter((key) => !key.startsWith('owner!') && !key.startsWith('total!'))).toEqual(whole);
  expect(momentsIn(await open().read({ owner }, undefined, 9))).toEqual([1]);
});

it('what a job has come to stays where its events make room, again and again, until it is forgotten', async () => {
  const { level, log, open } = aStore({ maxEvents: 3 });
  await log.append(owner, 'x', [event(1), end]);
  await log.append(owner, 'y', events(3));
  await log.append(owner, 'x', [event(100)]);
  await log.append(owner, 'z', events(3));
  const { rest, gap } = await open().read({ owner, jobId: 'x' }, undefined, 9);
  expect([gap, rest?.jobId]).toEqual([true, 'x']);
  expect(rest?.event).toMatchObject({ type: 'submitted', at: 100, state: { phase: 'completed' } });
  await log.expire(owner, 'x');
  expect((await level.keys().all()).filter((key) => key.startsWith('rest!'))).toEqual([`rest!${owner}!y`]);
  expect(await open().read({ owner, jobId: 'x' }, undefined, 9)).toEqual({ events: [], gap: true });
});

it('events make room of the owner that has most of what there is too much of: events or characters', async () => {
  const gapsOf = async (log: ReturnType<typeof aStore>['log']) => [
    (await log.read({ owner: 'alice', jobId: 'small' }, undefined, 9)).gap,
    (await log.read({ owner: 'bob', jobId: 'large' }, undefined, 9)).gap,
  ];
  const fill = async (limits: Parameters<typeof eventLogIn>[1]) => {
    const { log } = aStore(limits);
    await log.append('alice', 'small', events(5));
    await log.append('bob', 'large', [end, end]);
    await log.append('carol', 'next', events(1));
    return gapsOf(log);
  };
  const [small, large] = [JSON.stringify(event(1)).length, JSON.stringify(end).length];
  expect(5 * small).toBeLessThan(2 * large);
  expect(await fill({ maxEvents: 7 })).toEqual([true, false]);
  expect(await fill({ maxSize: 5 * small + 2 * large })).toEqual([false, true]);
});

it('as many events are kept as the log may have, and as many characters', async () => {
  const { log } = aStore({ maxEvents: 3 });
  await log.append(owner, 'x', events(3));
  expect((await log.read({ owner, jobId: 'x' }, undefined, 9)).gap).toBe(false);
  const size = 3 * JSON.stringify(event(1)).length;
  const bySize = aStore({ maxSize: size }).log;
  await bySize.append(owner, 'x', events(3));
  expect((await bySize.read({ owner, jobId: 'x' }, undefined, 9)).gap).toBe(false);
  await bySize.append(owner, 'y', [event(1)]);
  expect((await bySize.read({ owner, jobId: 'x' }, undefined, 9)).gap).toBe(true);
  // What has made room no longer counts.
  await bySize.append(owner, 'z', events(2));
  expect((await bySize.read({ owner, jobId: 'y' }, undefined, 9)).gap).toBe(false);
});

it('K3: events make room also where an entry leads to no job', async () => {
  const { level, log, open } = aStore({ maxEvents: 3 });
  await log.append(owner, 'x', events(2));
  const ghost = `log-of!${owner}!0000000000000000!0000000000000000!ghost`;
  await level.put(ghost, storedText(ghost, null));
  await log.append(owner, 'y', events(2));
  expect(await level.get(ghost)).toBeUndefined();
  expect((await open().read({ owner, jobId: 'x' }, undefined, 9)).gap).toBe(true);
  expect(momentsIn(await open().read({ owner, jobId: 'y' }, undefined, 9))).toEqual([1, 2]);
});
