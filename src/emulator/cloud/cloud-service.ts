import { type AccountFaults, createAccountFaults } from '../faults/account-faults.js';
import type { Billing } from '../fault.js';
import { createFileStore, type FileStore } from '../store/file-store.js';
import { createHub, type Hub } from '../sockets/hub.js';
import { createIds, type Ids } from '../ids.js';
import { createJobAnswers, type JobAnswers } from '../faults/job-answers.js';
import { createPace } from '../pace.js';
import { createResultCache } from '../scheduler/result-cache.js';
import { createScheduler, type Scheduler } from '../scheduler/scheduler.js';
import { createSignedUrls, type SignedUrls } from '../store/signed-urls.js';
import type { EmulatorOptions } from '../options.js';
import type { EventInterceptor } from '../messages.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import type { Job } from '../scheduler/job.js';
import type { NodeClass } from '../engine/node-class.js';
import { nodeClasses } from '../engine/node-classes.js';
import type { ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';

/** The state of one emulator, which its routes and sockets work on. */
export interface Service {
  readonly settings: Settings;
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  readonly signedUrls: SignedUrls;
  readonly ids: Ids;
  readonly faults: FaultInjector;
  readonly jobAnswers: JobAnswers;
  readonly accountFaults: AccountFaults;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly apiKey: string;
  readonly accounts: readonly Account[];
  /** The account of a key; undefined for a key to be refused with 401. */
  readonly accountOf: (key: string | undefined) => Account | undefined;
  /** The account of one of the options' keys, also once it was revoked. */
  readonly ownerOf: (key: string) => Account | undefined;
  /** Whether a key is one of the options' keys, also once it was revoked. */
  readonly acceptsKey: (key: string) => boolean;
  readonly billing: () => Billing;
  readonly setBilling: (billing: Billing) => void;
}

/** Makes the accounts of the accepted keys. */
export const createService = (
  settings: Settings,
  options: EmulatorOptions,
  storageUrl: string,
  faults: FaultInjector,
): Service => {
  const { clock } = settings;
  const ids = createIds(settings.seed);
  const keys = options.acceptKeys?.length ? options.acceptKeys : [`comfyui-${ids.hex(64)}`];
  let billing: Billing = options.billing ?? 'active';

  const openAccount = (): Account => {
    const files = createFileStore(settings.switches);
    // In API v2, faults of events are those of its own streams.
    const hub = createHub(settings, settings.dialect === 'v2' ? passOn : faults.createEventInterceptor());
    const watchers: JobWatcher[] = [];
    const scheduler = createScheduler({
      settings,
      clock,
      ids,
      files,
      nodeClasses,
      cache: createResultCache(),
      pace: createPace(clock, settings.speed),
      send: (message) => {
        hub.send(message);
        for (const watcher of watchers) watcher.onMessage(message);
      },
      billing: () => billing,
      onAccepted: (job) => {
        faults.onAccepted(job);
        for (const watcher of watchers) watcher.onAccepted(job);
      },
      onRestored: (job) => {
        for (const watcher of watchers) watcher.onRestored?.(job);
      },
      onStatus: (job) => {
        for (const watcher of watchers) watcher.onStatus(job);
      },
      losesWorker: faults.losesWorker,
    });
    return {
      userId: ids.uuid(),
      files,
      scheduler,
      hub,
      deletedAssets: new Set<string>(),
      watch: (watcher) => void watchers.push(watcher),
    };
  };
  const setBilling = (next: Billing): void => {
    billing = next;
  };
  const accountFaults = createAccountFaults({ registry: faults.registry, clock, setBilling });
  const accounts = new Map(keys.map((key) => [key, openAccount()]));

  return {
    settings,
    nodeClasses,
    ids,
    faults,
    jobAnswers: createJobAnswers(faults, clock),
    accountFaults,
    now: clock.now,
    signedUrls: createSignedUrls(storageUrl, ids, clock, settings.switches),
    apiKey: keys[0] ?? '',
    accounts: [...accounts.values()],
    ownerOf: (key) => accounts.get(key),
    acceptsKey: (key) => accounts.has(key),
    accountOf: (key) =>
      (settings.switches.anonymous ? [...accounts.values()][0] : undefined) ??
      (accountFaults.isRevoked(key) ? undefined : accounts.get(key ?? '')) ??
      (settings.has('status:401') ? undefined : [...accounts.values()][0]),
    billing: () => billing,
    setBilling,
  };
};

/** The state of one key; accounts share nothing. */
export interface Account {
  readonly userId: string;
  readonly files: FileStore;
  readonly scheduler: Scheduler;
  readonly hub: Hub;
  /** The ids of assets of jobs that were deleted. */
  readonly deletedAssets: Set<string>;
  /** Adds a watcher of all later jobs. */
  readonly watch: (watcher: JobWatcher) => void;
}

/** Sees every job of an account from its acceptance to its end. */
export interface JobWatcher {
  /** A job was accepted; no message of it was sent yet. */
  readonly onAccepted: (job: Job) => void;
  /** A job was taken up that had ended. */
  readonly onRestored?: (job: Job) => void;
  /** The status of a job has changed. */
  readonly onStatus: (job: Job) => void;
  /** A message was sent to the sockets of the account. */
  readonly onMessage: (message: ServiceMessage) => void;
}

const passOn: EventInterceptor = (message, deliver) => deliver(message);
