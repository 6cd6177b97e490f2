import { type AccountFaults, createAccountFaults } from '../faults/account-faults.js';
import type { Billing } from '../faults/fault.js';
import { createFileStore, type FileStore } from '../store/file-store.js';
import { createHub, type Hub } from '../sockets/hub.js';
import { createIds, type Ids } from '../ids.js';
import { createJobAnswers, type JobAnswers } from '../faults/job-answers.js';
import { createPace } from '../pace.js';
import { createResultCache } from '../scheduler/result-cache.js';
import { createScheduler, type Scheduler } from '../scheduler/scheduler.js';
import { createSignedUrls, type SignedUrls } from '../store/signed-urls.js';
import type { EmulatorOptions } from '../options.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import type { NodeClass } from '../engine/node-class.js';
import { nodeClasses } from '../engine/node-classes.js';
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
  readonly accounts: Iterable<Account>;
  /** The account of a key; undefined for a key to be refused with 401. */
  readonly accountOf: (key: string | undefined) => Account | undefined;
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
    const hub = createHub(settings, faults.createEventInterceptor());
    const scheduler = createScheduler({
      settings,
      clock,
      ids,
      files,
      nodeClasses,
      cache: createResultCache(),
      pace: createPace(clock, settings.speed),
      send: hub.send,
      billing: () => billing,
      onAccepted: faults.onAccepted,
      losesWorker: faults.losesWorker,
    });
    return { userId: ids.uuid(), files, scheduler, hub };
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
    acceptsKey: (key) => accounts.has(key),
    accountOf: (key) =>
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
}
