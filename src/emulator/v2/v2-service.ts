import type { Account, Service } from '../cloud/cloud-service.js';
import type { Answer } from '../http/answer.js';
import { type AssetStore, createAssetStore } from './asset-store.js';
import { type Blake3, createBlake3 } from './blake3.js';
import { createDocumentWriter, type DocumentWriter } from './job-document.js';
import { createEventStreams, type EventStreams } from './event-streams.js';
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotency-keys.js';
import { createJobFeeds, type JobFeeds } from './job-feeds.js';
import { createRateLimit, type RateLimit } from './rate-limit.js';
import type { IncomingMessage } from 'node:http';
import type { RequestParts } from '../http/request.js';

/** The state of a service that speaks API v2: that of the hosted service, and what v2 adds to it. */
export interface V2Service {
  readonly base: Service;
  readonly blake3: Blake3;
  readonly documents: DocumentWriter;
  readonly streams: EventStreams;
  readonly accounts: ReadonlyMap<Account, V2Account>;
  /** The status with which event streams are refused now. */
  readonly refusesStreams: () => number | undefined;
  /** When the emulator started. */
  readonly startedAt: number;
}

/** What API v2 keeps of one account. */
export interface V2Account {
  readonly base: Account;
  readonly assets: AssetStore;
  readonly jobs: JobFeeds;
  readonly keys: IdempotencyKeys;
  readonly limit: RateLimit;
  /** Job id → the assets that its workflow refers to. */
  readonly uses: Map<string, readonly string[]>;
}

/** Adds API v2 to a service without jobs. */
export const createV2Service = async (
  base: Service,
  refusesStreams: V2Service['refusesStreams'],
): Promise<V2Service> => {
  const { settings, ids } = base;
  const blake3 = await createBlake3();
  const documents = createDocumentWriter({ settings, signedUrls: base.signedUrls });
  const openAccount = (account: Account): V2Account => {
    const assets = createAssetStore(settings.clock, ids);
    const jobs = createJobFeeds({
      service: base,
      account,
      assets,
      blake3,
      outputData: (output) => ({ ...documents.output(output) }),
    });
    const keys = createIdempotencyKeys(settings.clock, settings.switches.keyRetentionMs);
    const limit = createRateLimit(settings.clock, settings.switches.requestsPerMinute);
    return { base: account, assets, jobs, keys, limit, uses: new Map() };
  };
  const accounts = new Map([...base.accounts].map((account) => [account, openAccount(account)]));
  return {
    ...{ base, blake3, documents, accounts, refusesStreams },
    streams: createEventStreams(),
    startedAt: settings.clock.now(),
  };
};

/** An authenticated request of API v2. */
export interface V2Request extends RequestParts {
  readonly service: V2Service;
  readonly account: V2Account;
  readonly request: IncomingMessage;
  /** The origin that the client used. */
  readonly origin: string;
}

/** One route of API v2. */
export type V2Handler = (request: V2Request) => Answer | Promise<Answer>;
