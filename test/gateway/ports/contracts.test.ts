import { afterAll, beforeAll, describe } from 'vitest';
import { isAJobIndex } from './index-contract.js';
import { isAnEventLog } from './log-contract.js';
import { isAnAssetIndex, isAWebhookStore } from './other-contracts.js';
import { isATemplateStore } from './template-contract.js';
import { join } from 'node:path';
import { memoryAssetIndex } from '../../../src/server/gateway/store/memory-asset-index.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryTemplateStore } from '../../../src/server/gateway/store/memory-template-store.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { memoryWebhookStore } from '../../../src/server/gateway/store/memory-webhook-store.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { namedFolders } from '../node/ports-in-a-folder.js';
import { runs } from '../../helpers/runs.js';
import { tmpdir } from 'node:os';

describe('in memory', () => {
  describe('a log of events', () => isAnEventLog(() => Promise.resolve(memoryEventLog()), runs(300), false));
  describe('an index of jobs', () =>
    isAJobIndex((_, limits) => Promise.resolve(memoryJobIndex(limits)), runs(300), false));
  describe('an index of files', () =>
    isAnAssetIndex((now, maxAssets) => {
      const index = memoryAssetIndex({ now, maxAssets });
      return Promise.resolve({ index, again: () => Promise.resolve(index) });
    }));
  describe('a store of webhooks', () =>
    isAWebhookStore(() => {
      const store = memoryWebhookStore();
      return Promise.resolve({ store, again: () => Promise.resolve(store) });
    }));
  describe('a store of templates', () =>
    isATemplateStore((limits) => {
      const store = memoryTemplateStore(limits);
      return Promise.resolve({ store, again: () => Promise.resolve(store) });
    }));
});

describe('in a folder that is closed and opened again and again', () => {
  let root: string;
  beforeAll(async () => (root = await mkdtemp(join(tmpdir(), 'promptwire-contracts-'))));
  afterAll(() => rm(root, { recursive: true, force: true }));
  let names = 0;
  const newName = (): string => `others ${(names += 1)}`;
  const open: ReturnType<typeof namedFolders> = (name, options) => namedFolders(root)(name, options);

  describe('a log of events', () => isAnEventLog(async (name) => (await open(name)).log, 25, true));
  describe('an index of jobs', () =>
    isAJobIndex(async (name, limits) => (await open(name, limits)).index, 25, true));
  describe('an index of files', () =>
    isAnAssetIndex(async (now, maxAssets) => {
      const name = newName();
      const { assets } = await open(name, { now, maxAssets });
      return {
        index: assets,
        again: async () => {
          await assets.close?.();
          return (await open(name, { now, maxAssets })).assets;
        },
      };
    }));
  describe('a store of webhooks', () =>
    isAWebhookStore(async () => {
      const name = newName();
      const { webhookStore } = await open(name);
      return {
        store: webhookStore,
        again: async () => {
          await webhookStore.close?.();
          return (await open(name)).webhookStore;
        },
      };
    }));
  describe('a store of templates', () =>
    isATemplateStore(async (limits) => {
      const name = newName();
      const { templateStore } = await open(name, limits);
      return {
        store: templateStore,
        again: async () => {
          await templateStore.close?.();
          return (await open(name, limits)).templateStore;
        },
      };
    }));
});
