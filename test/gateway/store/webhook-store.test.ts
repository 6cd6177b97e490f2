import { expect, it } from 'vitest';
import { MemoryLevel } from 'memory-level';
import { storeOf } from '../../../src/server/gateway/store/store.js';
import { webhookStoreIn } from '../../../src/server/gateway/store/webhook-store.js';

const hook = (owner: string) => ({
  ...{ owner, url: 'https://target.example/', events: [], secrets: ['whsec_x'], createdAt: 1, from: 'a-0' },
});

it('K3: a webhook or a progress that can’t be read is left out, and costs no other one', async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  const damaged: string[] = [];
  const webhooks = webhookStoreIn(storeOf(level, { damaged: (key) => damaged.push(key) }));
  for (const owner of ['alice', 'bob']) {
    await webhooks.put(hook(owner));
    for (const job of ['a', 'b']) await webhooks.progressed(owner, job, { position: `${job}-1` });
  }
  await level.put('webhook!alice', 'no value');
  await level.put('progress!bob!a', 'no value');
  expect(await webhooks.all()).toEqual([
    { record: hook('bob'), progress: new Map([['b', { position: 'b-1' }]]) },
  ]);
  expect(damaged).toEqual(['webhook!alice', 'progress!bob!a']);
});
