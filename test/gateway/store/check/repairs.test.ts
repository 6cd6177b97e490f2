import { compareKeys, repairsOf } from '../../../../src/server/gateway/store/check/repairs.js';
import { expect, it } from 'vitest';
import { keyOf } from '../../../../src/server/gateway/store/keys.js';
import { MemoryLevel } from 'memory-level';
import { storedText } from '../../../../src/server/gateway/store/stored-value.js';
import { viewOf, writeTo } from '../../../../src/server/gateway/store/store.js';

const written = () => {
  const batches: ReadonlyMap<string, string | undefined>[] = [];
  const told: string[] = [];
  const repairs = repairsOf(
    (changes) => Promise.resolve(void batches.push(new Map(changes))),
    (message) => told.push(message),
  );
  return { repairs, batches, told };
};

it('repairs are written a thousand at a time, and the rest at the end', async () => {
  const { repairs, batches } = written();
  for (let nth = 0; nth < 999; nth += 1) await repairs.put(`k${nth}`, nth);
  expect(batches).toEqual([]);
  await repairs.remove('gone');
  expect(batches.map(({ size }) => size)).toEqual([1_000]);
  expect([batches[0]?.get('k7'), batches[0]?.get('gone')]).toEqual([storedText('k7', 7), undefined]);
  await repairs.put('last', null);
  await repairs.flush();
  await repairs.flush();
  expect(batches.map(({ size }) => size)).toEqual([1_000, 1]);
});

it('an entry that is set aside leaves its table, and its text is kept', async () => {
  const { repairs, batches } = written();
  await repairs.setAside(['job!a', 'no value']);
  await repairs.flush();
  expect([...(batches[0] ?? [])]).toEqual([
    ['job!a', undefined],
    [keyOf('damaged', 'job!a'), 'no value'],
  ]);
});

it('a list that has a wrong entry for one that it lacks is told of, and made anew', async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  const view = viewOf(level, () => undefined);
  const [kept, wrong, missing] = ['a', 'b', 'c'].map((name) => keyOf('job-order', 1, name)) as [
    ...[string, string, string],
  ];
  for (const key of [kept, wrong]) await level.put(key, storedText(key, null));
  const told: string[] = [];
  const repairs = repairsOf(
    (changes) => writeTo(level, changes, false),
    (message) => told.push(message),
  );
  const compare = async () => {
    await compareKeys(view, repairs, 'job-order', new Set([kept, missing]));
    await repairs.flush();
    return told.splice(0);
  };
  expect(await compare()).toEqual([
    'The list job-order had 1 wrong entries and lacked 1: they follow from others.',
  ]);
  expect([await level.keys().all(), await compare()]).toEqual([[kept, missing], []]);
});
