import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/server/gateway/store/memory-store.js';

const pair = ['\u{1f600}', '\ud83d', '\ude00', '\uffff', 'a'];

it('a store in memory keeps every text as it is, half of a surrogate pair included', async () => {
  const store = memoryStore();
  await store.change((change) => {
    for (const text of pair) change.put(text, text);
    return Promise.resolve();
  });
  const entries = await store.read((view) => view.page({ limit: 9 }));
  expect(entries.map(([key]) => key)).toEqual(pair.toSorted());
  await store.close();
});
