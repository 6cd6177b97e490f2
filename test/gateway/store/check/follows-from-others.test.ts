import { describe, expect, it, vi } from 'vitest';
import { assetIndexIn } from '../../../../src/server/gateway/store/asset-index.js';
import type { AssetRecord } from '../../../../src/server/gateway/ports/asset-index.js';
import { checkStore } from '../../../../src/server/gateway/store/check/check-store.js';
import { eventLogIn } from '../../../../src/server/gateway/store/event-log.js';
import { ids, ownerOf, recordOf } from '../four-jobs.js';
import { jobIndexIn } from '../../../../src/server/gateway/store/job-index.js';
import { MemoryLevel } from 'memory-level';
import { storedText } from '../../../../src/server/gateway/store/stored-value.js';
import { storeOf } from '../../../../src/server/gateway/store/store.js';

const asset = (id: string, owner: string, more: Partial<AssetRecord> = {}): AssetRecord => ({
  ...{
    id,
    owner,
    client: 'default',
    sizeBytes: 3,
    contentType: 'image/png',
    createdAt: 1,
    hash: `hash of ${id}`,
  },
  stored: { name: `${id}.png`, subfolder: '', type: 'input' },
  ...more,
});

const check = async (level: MemoryLevel, repair: boolean): Promise<readonly string[]> => {
  const told: string[] = [];
  await checkStore(level, { now: 1, all: true, repair, tell: (message) => told.push(message) });
  return told;
};

/** Jobs, their events and uploads of several owners, as a store keeps them. */
const filled = async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  await check(level, true);
  const store = storeOf(level);
  const [index, log, assets] = [jobIndexIn(store), eventLogIn(store), assetIndexIn(store, () => 0)];
  for (const id of ids) {
    await index.add(recordOf(id, ownerOf(id)));
    await log.append(ownerOf(id), id, [{ type: 'cancelRequested', at: 1 }]);
  }
  await index.update('c', { ended: { phase: 'completed', at: 5 } });
  await assets.put(asset('u', 'alice', { expiresAt: 99 }));
  await assets.put(asset('v', 'alice'));
  await assets.put(asset('w', 'bob'));
  return { level, entries: () => level.iterator().all() };
};

const tableOf = ([key]: readonly [string, string]): string => key.split('!', 1).join();

describe('what follows from other entries of a store', () => {
  it('is found and made anew where it is missing: each entry of a list, each share and each total', async () => {
    const { level, entries } = await filled();
    const whole = await entries();
    const following = whole.filter((entry) =>
      /^(?:asset|job|event|log)-of$|-hash$|-expiry$|-order$|share$|holder$|^total$/u.test(tableOf(entry)),
    );
    expect(new Set(following.map(tableOf)).size).toBe(15);
    for (const [key] of following) {
      await level.del(key);
      expect([key, (await check(level, false)).length > 0]).toEqual([key, true]);
      expect([key, (await entries()).some(([other]) => other === key)]).toEqual([key, false]);
      await check(level, true);
      expect(await entries()).toEqual(whole);
    }
  });

  it.each(['share', 'log-share', 'asset-share'])(
    'is taken out of %s where its owner has nothing, and of the order of owners',
    async (table) => {
      const { level, entries } = await filled();
      const whole = await entries();
      const key = `${table}!zoe`;
      await level.put(key, storedText(key, { jobs: 1, size: 1, events: 1, assets: 1 }));
      const holder = `${table.replace('share', 'holder')}!${table === 'asset-share' ? 'assets' : 'size'}!0000000000000001!zoe`;
      await level.put(holder, storedText(holder, null));
      const told = [
        `The list ${table.replace('share', 'holder')} had 1 wrong entries and lacked 0: they follow from others.`,
        `The value ${key} was of an owner that has nothing.`,
      ];
      expect(await check(level, false)).toEqual(told);
      expect(await check(level, true)).toEqual(told);
      expect([await entries(), await check(level, true)]).toEqual([whole, []]);
    },
  );

  it.each(['asset-of', 'asset-hash', 'asset-expiry'])(
    'is taken out of %s where nothing leads to it',
    async (table) => {
      const { level, entries } = await filled();
      const whole = await entries();
      const key = whole.find((entry) => tableOf(entry) === table)?.[0] ?? '';
      await level.put(`${key}x`, 'null');
      expect((await check(level, true)).join()).toContain(
        `The list ${table} had 1 wrong entries and lacked 0`,
      );
      expect(await entries()).toEqual(whole);
    },
  );

  it('is told of the assets as well where one can’t be read: its lists, its share and the total', async () => {
    const { level, entries } = await filled();
    await level.put('asset!v', 'no value');
    const told = await check(level, true);
    expect(told.slice(0, 1)).toEqual(["The entry asset!v can't be read."]);
    for (const part of ['asset-of', 'asset-hash', 'total!assets'])
      expect([part, told.some((message) => message.includes(part))]).toEqual([part, true]);
    expect((await entries()).filter(([key]) => /^asset/u.test(key) && key.includes('!v'))).toEqual([]);
    expect(await check(level, true)).toEqual([]);
    // The places of those that come go on after the last one that was given.
    const assets = assetIndexIn(storeOf(level), () => 0);
    await assets.put(asset('x', 'bob'));
    const places = (await entries())
      .filter((entry) => tableOf(entry) === 'asset-of')
      .map(([key]) => key.split('!')[2]);
    expect(new Set(places).size).toBe(3);
    expect(await check(level, false)).toEqual([]);
  });
});

it('a store whose repairs do not last is looked through five times, and starts', async () => {
  const { level } = await filled();
  await level.del('total!jobs');
  const [once] = await check(level, false);
  expect(once).toBe('The value total!jobs was missing: it follows from others.');
  vi.spyOn(level, 'batch').mockResolvedValue(undefined as never);
  expect(await check(level, true)).toEqual(Array(5).fill(once));
});

describe('the assets of a store', () => {
  it('are forgotten with every entry that leads to them: replaced, removed, past their time, or beyond the bound', async () => {
    const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
    await level.open();
    let now = 0;
    const assets = assetIndexIn(storeOf(level), () => now, { maxAssets: 2 });
    const about = async (): Promise<readonly string[]> =>
      (await level.keys().all())
        .filter((key) => /^asset(?:-(?:of|hash|expiry))?!/u.test(key))
        .map((key) => key.split('!').at(-1)!);
    await assets.put(asset('a', 'alice', { expiresAt: 10 }));
    await assets.put(asset('a', 'alice', { hash: 'another', expiresAt: 20 }));
    expect(await about()).toEqual(Array(4).fill('a'));
    await assets.put(asset('b', 'alice'));
    await assets.put(asset('c', 'bob'));
    // The oldest one of the owner with most has made room.
    expect(new Set(await about())).toEqual(new Set(['b', 'c']));
    await assets.remove('bob', 'b');
    expect(new Set(await about())).toEqual(new Set(['b', 'c']));
    await assets.remove('alice', 'b');
    expect(await about()).toEqual(Array(3).fill('c'));
    await assets.put(asset('d', 'bob', { expiresAt: 30 }));
    now = 30;
    await assets.put(asset('e', 'bob'));
    expect(new Set(await about())).toEqual(new Set(['c', 'e']));
    expect(await assets.get('bob', 'd')).toBeUndefined();
  });

  it('make room also where what leads to them leads to none', async () => {
    const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
    await level.open();
    const assets = assetIndexIn(storeOf(level), () => 50, { maxAssets: 2 });
    for (const id of ['a', 'b']) await assets.put(asset(id, 'alice'));
    for (const key of ['asset-of!alice!0000000000000000!ghost', 'asset-expiry!0000000000000010!ghost'])
      await level.put(key, storedText(key, null));
    await assets.put(asset('c', 'alice'));
    expect((await level.keys().all()).filter((key) => /^asset!|ghost/u.test(key))).toEqual([
      ...['asset!b', 'asset!c'],
    ]);
  });
});

describe('the pictures of jobs in a store', () => {
  it('stay with their job, and go where their job is not known', async () => {
    const { level, entries } = await filled();
    const { images } = jobIndexIn(storeOf(level));
    const picture = { mediaType: 'image/png', bytes: new Uint8Array([1, 2, 3]) };
    const place = { nodeId: '9', index: 0 };
    expect([await images!.put('a', place, picture), await images!.put('none', place, picture)]).toEqual([
      ...[true, false],
    ]);
    const whole = await entries();
    for (const repair of [false, true]) expect(await check(level, repair)).toEqual([]);
    expect([await entries(), await images!.get('a', place)]).toEqual([whole, picture]);
    const stray = 'image!none!9!0000000000000000';
    await level.put(stray, storedText(stray, picture));
    const told = [`The entry ${stray} belongs to no job that can be read.`];
    expect([await check(level, false), await check(level, true)]).toEqual([told, told]);
    expect(await entries()).toEqual(whole);
  });
});

describe('the keys of jobs in a store', () => {
  it('stay as they are while their job is there, and once it is forgotten', async () => {
    const { level, entries } = await filled();
    const index = jobIndexIn(storeOf(level));
    await index.add({ ...recordOf('over', 'alice'), expiresAt: 10 });
    await index.update('over', { ended: { phase: 'completed', at: 5 } });
    expect(await index.expire(20)).toHaveLength(1);
    const whole = await entries();
    expect(whole.filter((entry) => tableOf(entry) === 'key-forgotten')).toHaveLength(1);
    for (const repair of [false, true]) expect(await check(level, repair)).toEqual([]);
    expect(await entries()).toEqual(whole);
  });

  it('stay used for a day where their job is lost, and are told of once', async () => {
    const { level } = await filled();
    const key = 'key!alice!of no job';
    await level.put(key, 'no value');
    const told = await check(level, true);
    expect(told).toContain(`The entry ${key} is of a job that is not there: the key stays used for a day.`);
    expect(await check(level, true)).toEqual([]);
    const index = jobIndexIn(storeOf(level));
    const again = { ...recordOf('new', 'alice'), key: 'of no job' };
    expect(await index.add(again)).toEqual({ _tag: 'keyUsed' });
    await index.expire(24 * 60 * 60 * 1000);
    expect(await index.add(again)).toEqual({ _tag: 'keyUsed' });
    await index.expire(24 * 60 * 60 * 1000 + 1);
    expect(await index.add(again)).toMatchObject({ _tag: 'added' });
  });
});
