import { describe, expect, it, vi } from 'vitest';
import { get } from '../../../src/server/gateway/store/view.js';
import { MemoryLevel } from 'memory-level';
import { storedText } from '../../../src/server/gateway/store/stored-value.js';
import { storeOf, type StoreOptions } from '../../../src/server/gateway/store/store.js';

/** A database in memory that writes when the test says so, or as long as it says nothing. */
const slowLevel = () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  const write = level.batch.bind(level) as (operations: unknown, options: unknown) => Promise<void>;
  const batches: { readonly keys: readonly string[]; readonly options: unknown }[] = [];
  let gate = Promise.resolve();
  let failure: Error | undefined;
  vi.spyOn(level, 'batch').mockImplementation((async (
    operations: readonly { key: string }[],
    options: unknown,
  ) => {
    batches.push({ keys: operations.map(({ key }) => key), options });
    await gate;
    if (failure !== undefined) throw failure;
    await write(operations, options);
  }) as never);
  return {
    ...{ level, batches },
    hold: (): (() => void) => {
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      return open;
    },
    fail: (error: Error | undefined) => (failure = error),
  };
};

const opened = (options: StoreOptions = {}) => {
  const slow = slowLevel();
  const store = storeOf(slow.level, options);
  return {
    ...{ ...slow, store },
    put: (key: string, value: unknown) =>
      store.change((change) => {
        change.put(key, value);
        return Promise.resolve(key);
      }),
    add: (key: string, by: number) =>
      store.change(async (change) => change.put(key, ((await get<number>(change, key)) ?? 0) + by)),
    valueOf: (key: string) => store.read((view) => get(view, key)),
  };
};

describe('a store', () => {
  it('K1: resolves a change once it is written, and writes together what came meanwhile', async () => {
    const { batches, hold, put, valueOf } = opened();
    const release = hold();
    const resolved: string[] = [];
    const changes = ['a', 'b'].map(async (key) => resolved.push(await put(key, key)));
    await expect.poll(() => batches).toHaveLength(1);
    const later = ['c', 'd', 'e'].map(async (key) => resolved.push(await put(key, key)));
    expect(await valueOf('a')).toBeUndefined();
    expect(resolved).toEqual([]);
    release();
    await Promise.all([...changes, ...later]);
    expect(resolved).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(batches.map(({ keys }) => keys)).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
    expect(await valueOf('e')).toBe('e');
  });

  it.each([true, false])('K1: has each write wait for the disk, or none: %s', async (sync) => {
    const { batches, put } = opened({ sync });
    await put('a', 1);
    expect(batches.map(({ options }) => options)).toEqual([{ sync }]);
  });

  it('K1: makes one change after the other, each upon those before it, although they are written together', async () => {
    const { batches, add, valueOf } = opened();
    await Promise.all(Array.from({ length: 1_200 }, () => add('sum', 1)));
    expect(await valueOf('sum')).toBe(1_200);
    // At most so many in one batch, which stays small.
    expect(batches).toHaveLength(3);
  });

  it('K1: changes nothing where a change throws, and keeps those beside it', async () => {
    const { store, put, valueOf } = opened();
    const [kept, thrown] = await Promise.allSettled([
      put('a', 1),
      store.change((change) => {
        change.put('a', 2);
        change.remove('a');
        return Promise.reject(new Error('no'));
      }),
    ]);
    expect([kept.status, thrown.status]).toEqual(['fulfilled', 'rejected']);
    expect(await valueOf('a')).toBe(1);
  });

  it('K2: rejects every change of a write that failed, changes nothing, and prepares the database before the next', async () => {
    const events: string[] = [];
    const { batches, fail, put, valueOf } = opened({
      toError: (error) => `typed: ${String(error)}`,
      recover: () => {
        events.push(`after ${batches.length}`);
        return Promise.resolve();
      },
    });
    await put('a', 1);
    fail(new Error('full'));
    const failed = await Promise.allSettled([put('a', 2), put('b', 2)]);
    expect(failed).toEqual([
      { status: 'rejected', reason: 'typed: Error: full' },
      { status: 'rejected', reason: 'typed: Error: full' },
    ]);
    expect([await valueOf('a'), await valueOf('b')]).toEqual([1, undefined]);
    fail(undefined);
    await put('b', 3);
    await put('b', 4);
    expect(await valueOf('b')).toBe(4);
    // Once, before the write after the one that failed.
    expect(events).toEqual(['after 2']);
  });

  it('K2: rejects changes without a write while the database can’t be prepared, and reads all the while', async () => {
    let room = false;
    const { batches, fail, put, valueOf } = opened({
      recover: () => (room ? Promise.resolve() : Promise.reject(new Error('no room'))),
    });
    await put('a', 1);
    fail(new Error('full'));
    await expect(put('a', 2)).rejects.toThrow('full');
    fail(undefined);
    await expect(put('a', 3)).rejects.toThrow('no room');
    expect(batches).toHaveLength(2);
    expect(await valueOf('a')).toBe(1);
    room = true;
    await put('a', 4);
    expect(await valueOf('a')).toBe(4);
  });

  it('reads all of a moment, whatever is written meanwhile', async () => {
    const { store, put } = opened();
    await put('a', 1);
    const seen = await store.read(async (view) => {
      const before = await get(view, 'a');
      await put('a', 2);
      return [before, await get(view, 'a')];
    });
    expect(seen).toEqual([1, 1]);
  });

  it('lets go of the moment that it has read, also where the reading fails', async () => {
    const { level, store } = opened();
    const closed: (() => number)[] = [];
    const take = level.snapshot.bind(level);
    vi.spyOn(level, 'snapshot').mockImplementation((...given) => {
      const snapshot = take(...given);
      const close = vi.spyOn(snapshot, 'close');
      closed.push(() => close.mock.calls.length);
      return snapshot;
    });
    await store.read((view) => get(view, 'a'));
    await expect(store.read(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(closed.map((times) => times())).toEqual([1, 1]);
  });

  it('K3: takes a value for nothing that is not as it was written, and tells its key', async () => {
    const damaged: string[] = [];
    const { level, put, valueOf } = opened({ damaged: (key) => damaged.push(key) });
    const value = { seed: 2n ** 64n - 1n, text: 'a!b' };
    await put('a', value);
    expect(await valueOf('a')).toEqual(value);
    const text = storedText('a', value);
    for (const other of [
      '',
      'no json',
      '{}',
      text.slice(0, -1),
      `${text} `,
      text.replace('a!b', 'a!c'),
      storedText('b', value),
    ]) {
      await level.put('a', other);
      expect([other, await valueOf('a')]).toEqual([other, undefined]);
    }
    expect(damaged).toHaveLength(7);
    expect(new Set(damaged)).toEqual(new Set(['a']));
  });

  it('waits for the changes so far before it closes', async () => {
    const { level, put, store } = opened();
    const change = put('a', 1);
    await store.close();
    expect(await change).toBe('a');
    expect(level.status).toBe('closed');
    await expect(put('a', 2)).rejects.toMatchObject({ code: 'LEVEL_DATABASE_NOT_OPEN' });
  });
});
