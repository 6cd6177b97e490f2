import { describe, expect, it } from 'vitest';
import { checkStore } from '../../../../src/server/gateway/store/check/check-store.js';
import { eventLogIn } from '../../../../src/server/gateway/store/event-log.js';
import type { EventLogLimits } from '../../../../src/server/gateway/store/remove-events.js';
import { life } from '../../support.js';
import type { LifecycleEvent } from '../../../../src/core/events/job-log-event.js';
import { MemoryLevel } from 'memory-level';
import { statusOf } from '../../../../src/core/events/state-members.js';
import { storedText } from '../../../../src/server/gateway/store/stored-value.js';
import { storeOf } from '../../../../src/server/gateway/store/store.js';

const event: LifecycleEvent = { type: 'cancelRequested', at: 1 };
const end: LifecycleEvent = { type: 'status', at: 2, status: statusOf(life('p').at(-1)!) };

/** A store that keeps events alone, and what a check of it tells. */
const setUp = async (limits: EventLogLimits = {}) => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  const check = async (all: boolean, repair = false): Promise<readonly string[]> => {
    const told: string[] = [];
    await checkStore(level, { now: 1, all, repair, tell: (message) => told.push(message) });
    return told;
  };
  await check(false, true);
  const log = eventLogIn(storeOf(level), limits);
  const gapsOf = async (...jobIds: readonly string[]) =>
    Promise.all(jobIds.map(async (jobId) => (await log.read({ owner: 'alice', jobId }, undefined, 99)).gap));
  return { level, log, check, gapsOf, keys: () => level.keys().all() };
};

describe('a log whose events have made room', () => {
  it('agrees with itself, whether its events are read or not', async () => {
    const { log, check, gapsOf } = await setUp({ maxEvents: 4 });
    await log.append('alice', 'cut', [event, event]);
    await log.append('alice', 'whole', [event, event]);
    await log.append('alice', 'next', [event]);
    expect(await gapsOf('cut', 'whole', 'next')).toEqual([true, false, false]);
    expect([await check(false), await check(true)]).toEqual([[], []]);
    // All that it had is gone.
    await log.append('alice', 'large', [event, event, event, event, event]);
    expect(await gapsOf('cut', 'whole', 'next', 'large')).toEqual(Array(4).fill(true));
    expect([await check(false), await check(true)]).toEqual([[], []]);
    await log.append('alice', 'after', [event]);
    expect([await gapsOf('after'), await check(false), await check(true)]).toEqual([[false], [], []]);
  });

  it('agrees with itself also where a job of it is forgotten, and where another owner has events', async () => {
    const { log, check } = await setUp({ maxEvents: 4 });
    for (const [owner, id] of [
      ['alice', 'a'],
      ['bob', 'b'],
      ['alice', 'c'],
    ] as const)
      await log.append(owner, id, [event, event]);
    await log.expire('alice', 'a');
    expect([await check(false), await check(true)]).toEqual([[], []]);
    await log.expire('alice', 'c');
    await log.expire('bob', 'b');
    expect([await check(false), await check(true)]).toEqual([[], []]);
  });
});

describe('a log that lost what it knew of a job', () => {
  it('counts its events again, and knows which jobs have ended, whose events make room first', async () => {
    const { level, log, check, gapsOf } = await setUp();
    await log.append('alice', 'goes on', [event, event]);
    await log.append('alice', 'ended', [event, end, event]);
    for (const jobId of ['goes on', 'ended']) await level.del(`log!alice!${jobId}`);
    expect(await check(false)).not.toEqual([]);
    await check(false, true);
    expect([await check(false), await check(true), await gapsOf('goes on', 'ended')]).toEqual([
      ...[[], [], [false, false]],
    ]);
    const smaller = eventLogIn(storeOf(level), { maxEvents: 5 });
    await smaller.append('alice', 'next', [event]);
    expect(await gapsOf('goes on', 'ended', 'next')).toEqual([false, true, false]);
  });

  it('is found by its events alone, of each owner that has some', async () => {
    const { level, log, check, gapsOf } = await setUp();
    for (const owner of ['alice', 'bob', 'carol']) await log.append(owner, 'j', [event, event]);
    for (const owner of ['alice', 'carol'])
      for (const key of [`owner!${owner}`, `log!${owner}!j`]) await level.del(key);
    // What is no key of an owner costs none of them.
    await level.put('event!"', 'x');
    const told = await check(false, true);
    expect(told.filter((message) => message.includes('begins anew'))).toHaveLength(2);
    expect([await check(true), await gapsOf('j')]).toEqual([[], [false]]);
    expect((await log.read({ owner: 'carol', jobId: 'j' }, undefined, 9)).events).toHaveLength(2);
  });

  it('tells of each owner whose log begins anew, and of no other', async () => {
    const { level, log, check, keys } = await setUp();
    for (const owner of ['alice', 'alice"', 'bob', 'carol']) await log.append(owner, 'j', [event]);
    const own = (await keys()).filter((key) => /^owner!(?:alice|bob)$/u.test(key));
    for (const key of own) await level.del(key);
    const told = await check(false, true);
    expect(told.filter((message) => message.includes('begins anew'))).toEqual(
      ['alice', 'bob'].map(
        (owner) => `The log of ${owner} begins anew after event 1: positions from before it are gone.`,
      ),
    );
    expect(await check(true)).toEqual([]);
  });
});

describe('the format of a store', () => {
  it.each([
    ['missing', undefined],
    ['damaged', 'no value'],
  ])('is put down again where it is %s', async (word, text) => {
    const { level, check, log } = await setUp();
    await log.append('alice', 'a', [event]);
    if (text === undefined) await level.del('format');
    else await level.put('format', text);
    expect(await check(false)).toEqual([`The entry format was ${word}.`]);
    await check(false, true);
    expect(await check(false)).toEqual([]);
  });

  it('is the first one, and a store of another one is refused, with what to do', async () => {
    const { level, check } = await setUp();
    expect(await level.get('format')).toBe(storedText('format', 1));
    await level.put('format', storedText('format', 2));
    await expect(check(false, true)).rejects.toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'folder' },
      message: 'The store has the format 2, and this version of promptwire reads the format 1.',
      hint: expect.stringContaining('another folder') as string,
    });
    expect(await level.get('format')).toBe(storedText('format', 2));
    // What is no number was never a format.
    await level.put('format', storedText('format', 'two'));
    expect(await check(false)).toEqual(['The entry format was damaged.']);
  });

  it('is put down in an empty store without a word', async () => {
    const { keys, level, check } = await setUp();
    expect(await keys()).toEqual(['format']);
    await level.clear();
    expect(await check(true)).toEqual([]);
  });
});
