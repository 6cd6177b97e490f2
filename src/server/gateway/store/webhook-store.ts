import { below, keyOf, partsOf } from './keys.js';
import { type Entry, getMany, has, pagesOf, type View } from './view.js';
import type { Store } from './store.js';
import type { StoredWebhook, WebhookProgress, WebhookRecord, WebhookStore } from '../ports/webhook-store.js';

const webhookKey = (owner: string): string => keyOf('webhook', owner);
const progressKey = (owner: string, jobId: string): string => keyOf('progress', owner, jobId);

/** Keeps the webhooks of callers in a store (docs/stores.md), and what they have been sent. */
export const webhookStoreIn = (store: Store): WebhookStore => ({
  all: () =>
    store.read(async (view) => {
      const all: StoredWebhook[] = [];
      for await (const page of pagesOf(view, below('webhook'))) {
        for (const record of await getMany<WebhookRecord>(view, page.map(keyAt)))
          if (record !== undefined) all.push({ record, progress: await progressOf(view, record.owner) });
      }
      return all;
    }),
  put: (record) =>
    store.change((change) => {
      change.put(webhookKey(record.owner), record);
      return Promise.resolve();
    }),
  remove: (owner) =>
    store.change(async (change) => {
      change.remove(webhookKey(owner));
      for await (const page of pagesOf(change, below('progress', owner)))
        for (const [key] of page) change.remove(key);
    }),
  progressed: (owner, jobId, progress) =>
    store.change(async (change) => {
      if (await has(change, webhookKey(owner))) change.put(progressKey(owner, jobId), progress);
    }),
  forget: (owner, jobId) =>
    store.change((change) => {
      change.remove(progressKey(owner, jobId));
      return Promise.resolve();
    }),
});

const keyAt = ([key]: Entry): string => key;

const progressOf = async (view: View, owner: string): Promise<ReadonlyMap<string, WebhookProgress>> => {
  const all = new Map<string, WebhookProgress>();
  for await (const page of pagesOf(view, below('progress', owner))) {
    const found = await getMany<WebhookProgress>(view, page.map(keyAt));
    for (const [at, [key]] of page.entries()) {
      const progress = found[at];
      if (progress !== undefined) all.set(partsOf(key)?.at(-1) ?? '', progress);
    }
  }
  return all;
};
