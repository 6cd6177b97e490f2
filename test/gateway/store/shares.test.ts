import { expect, it } from 'vitest';
import { assetShares, changeShare, jobShares, shareOf } from '../../../src/server/gateway/store/shares.js';
import { memoryStore } from '../../../src/server/gateway/store/memory-store.js';

it('an owner has a share from the first job on, and none after the last one', async () => {
  const store = memoryStore();
  const change = (by: { readonly jobs: number; readonly size: number }) =>
    store.change((made) => changeShare(made, jobShares, 'alice', by));
  const share = () => store.read((view) => shareOf(view, jobShares, 'alice'));
  const keys = () => store.read(async (view) => (await view.page({ limit: 9 })).map(([key]) => key));
  await change({ jobs: 1, size: 7 });
  expect([await share(), (await keys()).length]).toEqual([{ jobs: 1, size: 7 }, 3]);
  await change({ jobs: -1, size: -7 });
  expect([await share(), await keys()]).toEqual([{ jobs: 0, size: 0 }, []]);
  for (const assets of [1, -1])
    await store.change((made) => changeShare(made, assetShares, 'bob', { assets }));
  expect(await keys()).toEqual([]);
  await store.close();
});
