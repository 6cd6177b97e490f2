import type { AssetIndex } from '../ports/asset-index.js';
import { assetIndexIn, type AssetIndexLimits } from '../store/asset-index.js';
import { checkStore } from '../store/check/check-store.js';
import { forgetOrphans } from '../store/check/forget-orphans.js';
import type { EventLog } from '../../joblog/event-log.js';
import { eventLogIn } from '../store/event-log.js';
import type { EventLogLimits } from '../store/remove-events.js';
import type { JobIndex } from '../../joblog/job-index.js';
import { jobIndexIn } from '../store/job-index.js';
import type { JobIndexLimits } from '../store/make-room.js';
import { openLevel } from './open-level.js';
import { realClock } from '../../../core/platform/clock.js';
import { storeOf } from '../store/store.js';
import { templateStoreIn, type TemplateStoreLimits } from '../store/template-store.js';
import type { TemplateStore } from '../../joblog/template-store.js';
import type { WebhookStore } from '../ports/webhook-store.js';
import { webhookStoreIn } from '../store/webhook-store.js';

/** Options of {@link filePorts}. */
export interface FilePortsOptions
  extends JobIndexLimits, EventLogLimits, AssetIndexLimits, TemplateStoreLimits {
  /**
   * Whether each write waits for the disk, one for all writes that are under way; default true. Without it what was written survives the
   * end of the process in any form, but not that of the machine.
   */
  readonly sync?: boolean | undefined;
  /** The clock by which assets expire, in milliseconds since 1970; default the machine's. */
  readonly now?: (() => number) | undefined;
  /** Gets a sentence for each thing that is damaged or lost, at the start and later; default it is not said. */
  readonly onDamage?: ((message: string) => void) | undefined;
}

/** Ports that keep jobs, events and assets in a folder. */
export interface FilePorts {
  /** Which jobs there are, and whose they are. */
  readonly index: JobIndex;
  /** What became of them. */
  readonly log: EventLog;
  /** Which files callers uploaded. */
  readonly assets: AssetIndex;
  /** The webhooks of callers, with their secrets, and what they have been sent. */
  readonly webhookStore: WebhookStore;
  /** The templates that callers saved. */
  readonly templateStore: TemplateStore;
  /** Closes the store and gives the folder back, as `close` of each port does. */
  readonly close: () => Promise<void>;
}

/**
 * Keeps jobs, keys, events, assets, webhooks and templates in a folder, which one process has for itself: they survive its end in any form.
 *
 * The store is LevelDB, by the package `classic-level` that you install beside this one. `sync` (default) has each change wait for the disk, so
 * that it survives a power cut as well. Memory does not grow with what is kept, whose bounds are those of the ports in memory. At its start it checks
 * counts and positions, sets aside what can't be read, and tells `onDamage`. Rejects with `InvalidConfig` where another process has the
 * folder, where it needs a repair or holds the files of an older version, and where classic-level is missing; with `FileSystem` where the
 * system refuses. So do calls of the ports while the disk is full: they change nothing then, and work again once it has room.
 */
export const filePorts = async (folder: string, options: FilePortsOptions = {}): Promise<FilePorts> => {
  const { now = realClock.wall, onDamage, sync = true } = options;
  const { level, reopen, toError } = await openLevel(folder);
  let damages = 0;
  const tell = (message: string): void => {
    damages += 1;
    onDamage?.(message);
  };
  const orphans = await checkStore(level, { now: now(), all: false, repair: true, tell }).catch(
    async (error: unknown) => {
      await level.close();
      throw toError(error);
    },
  );
  const told = new Set<string>();
  const damaged = (key: string): void => {
    if (told.has(key) || told.size >= maxTold) return;
    told.add(key);
    tell(`The entry ${key} can't be read or is missing.`);
  };
  const store = storeOf(level, { sync, damaged, recover: reopen, toError });
  await forgetOrphans(store, orphans, tell).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= store.close());
  return {
    index: { ...jobIndexIn(store, options), damaged: () => damages, close },
    log: { ...eventLogIn(store, options), close },
    assets: { ...assetIndexIn(store, now, options), close },
    webhookStore: { ...webhookStoreIn(store), close },
    templateStore: { ...templateStoreIn(store, options), close },
    close,
  };
};

/** The store reports at most so many entries while it is open. */
const maxTold = 1_000;
