import { backoff, type BackoffOptions } from '../../../core/platform/backoff.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../joblog/event-log.js';
import { firstValueFrom, merge } from 'rxjs';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { nextMessage } from './next-message.js';
import type { OutgoingMessage } from './webhook-message.js';
import { readTarget } from './webhook-target.js';
import { signMessage } from './signature.js';
import { type Slots, slots } from './slots.js';
import { timerOn } from '../../../core/platform/timer.js';
import { tryOnce, type TryResult, type WebhookSender } from './webhook-sender.js';
import type { WebhookProgress, WebhookRecord, WebhookStore } from '../ports/webhook-store.js';

/** What all deliveries of a gateway share. */
export interface DeliveryContext {
  readonly clock: Clock;
  readonly random: () => number;
  readonly job: (id: string) => JobEntry | undefined;
  readonly log: EventLog;
  readonly store: WebhookStore;
  readonly sender: WebhookSender;
  readonly allowHosts: readonly string[];
  readonly timeoutMs: number;
  readonly backoff: BackoffOptions;
  /** The tries of all webhooks. */
  readonly slots: Slots;
}

/** The deliveries of one webhook. */
export interface Delivery {
  /** Something of this job may be new. */
  readonly wake: (jobId: string) => void;
  /** The job is forgotten; a message of it that has not arrived parks the webhook. */
  readonly forget: (jobId: string) => void;
  /** Why the next message of some job has not arrived yet. */
  readonly lastFailure: () => string | undefined;
  /** Ends what is under way, and resolves once nothing is. */
  readonly stop: () => Promise<void>;
}

/** A message that can't be delivered for so long parks its webhook. */
const giveUpAfterMs = 24 * 60 * 60 * 1000;
/** So many requests to one target at a time. */
const slotsOfOne = 4;

/**
 * Sends what the log has of each job of an owner, in the order of the log, each message until it arrives.
 *
 * `progress` is how far each job is; it changes as messages arrive. `park` is called once where the target is gone or was out of
 * reach for a day; everything has stopped by then.
 */
export const deliver = (
  context: DeliveryContext,
  record: WebhookRecord,
  progress: Map<string, WebhookProgress>,
  park: (reason: string) => void,
): Delivery => {
  const { clock, store, allowHosts } = context;
  const { owner } = record;
  const stopped = new AbortController();
  const own = slots(slotsOfOne);
  /** The jobs that are looked at; true where something came meanwhile. */
  const lanes = new Map<string, { isStale: boolean; done: Promise<void> }>();
  const failures = new Map<string, string>();

  const note = async (jobId: string, next: WebhookProgress): Promise<void> => {
    if (context.job(jobId) === undefined) return;
    progress.set(jobId, next);
    // What can't be written is sent once more after a restart.
    await store.progressed(owner, jobId, next).catch(() => undefined);
  };
  const attempt = async (message: OutgoingMessage): Promise<TryResult> => {
    if (stopped.signal.aborted) return { _tag: 'stopped' };
    const target = readTarget(record.url, allowHosts);
    if (target._tag === 'Left') return { _tag: 'failed', reason: target.left };
    const { id, body } = message;
    const signed = await signMessage(record.secrets, { id, body, atMs: clock.wall() });
    const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'promptwire' };
    const request = { url: record.url, headers, body, anyAddress: target.right.isAllowed };
    return tryOnce(request, { ...context, stopped: stopped.signal });
  };
  const giveUp = (reason: string): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    park(reason);
  };
  const insist = async (jobId: string, message: OutgoingMessage): Promise<void> => {
    for (let count = 0; !stopped.signal.aborted; count += 1) {
      const result = await own.run(() => context.slots.run(() => attempt(message)));
      if (result._tag === 'stopped') return;
      if (!('reason' in result)) {
        failures.delete(jobId);
        await note(jobId, { position: message.position });
        return;
      }
      const { reason } = result;
      failures.set(jobId, reason);
      const known = progress.get(jobId);
      const failingSince = known?.failingSince ?? clock.wall();
      if (known?.failingSince === undefined) await note(jobId, { ...known, failingSince });
      if (result._tag === 'gone' || clock.wall() - failingSince >= giveUpAfterMs) {
        giveUp(reason);
        return;
      }
      await pause(context, backoff(count, context.random(), context.backoff), stopped.signal);
    }
  };
  const follow = async (jobId: string): Promise<void> => {
    while (!stopped.signal.aborted) {
      const job = context.job(jobId);
      if (job === undefined) return;
      const next = await nextMessage(context.log, job, record, progress.get(jobId)?.position);
      if (next._tag === 'message') await insist(jobId, next.message);
      else if (next._tag === 'unreadable') await pause(context, unreadableMs, stopped.signal);
      else {
        if (next.position !== undefined) await note(jobId, { position: next.position });
        return;
      }
    }
  };
  const run = async (jobId: string): Promise<void> => {
    const lane = lanes.get(jobId);
    do {
      if (lane !== undefined) lane.isStale = false;
      await follow(jobId);
    } while (lane?.isStale === true && !stopped.signal.aborted);
    lanes.delete(jobId);
  };

  return {
    wake: (jobId) => {
      const lane = lanes.get(jobId);
      if (lane !== undefined) lane.isStale = true;
      else if (!stopped.signal.aborted) {
        const fresh = { isStale: false, done: Promise.resolve() };
        lanes.set(jobId, fresh);
        fresh.done = run(jobId);
      }
    },
    forget: (jobId) => {
      // Its messages are gone with it: to go on in silence would hide that.
      const reason = failures.get(jobId);
      if (reason !== undefined) giveUp(reason);
      failures.delete(jobId);
      if (progress.delete(jobId)) void store.forget(owner, jobId).catch(() => undefined);
    },
    lastFailure: () => [...failures.values()].at(-1),
    stop: async () => {
      stopped.abort();
      await Promise.all([...lanes.values()].map(({ done }) => done));
    },
  };
};

/** How long to wait before a log is read again that did not answer. */
const unreadableMs = 1_000;

const pause = ({ clock }: DeliveryContext, ms: number, stopped: AbortSignal): Promise<void> =>
  firstValueFrom(merge(timerOn(clock, ms, { background: true }), fromAbortSignal(stopped)), {
    defaultValue: undefined,
  });
