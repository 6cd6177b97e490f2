import type { CancelTimer, Clock } from '../../core/platform/platform.js';
import { Observable } from 'rxjs';

/** A request that waits for its permit. */
export interface QueuedRequest {
  /** Called once for each time that it was queued. */
  readonly granted: () => void;
}

/**
 * What a request is for: `status` asks how a job stands, `record` reads the record of a job that has ended, and `detail`
 * asks for what that record left open.
 */
export type RequestPriority = 'status' | 'record' | 'detail';

/** A shared allowance of requests. */
export interface RateLimiter {
  /** Queues a request, whose permit may come at once; default priority `status`. One that is queued already keeps its place. */
  readonly enqueue: (request: QueuedRequest, priority?: RequestPriority) => void;
  /** Takes a request out of the queue. */
  readonly cancel: (request: QueuedRequest) => void;
  /** Whether a request that may as well be left out can be made: none waits, and half of the burst is left. */
  readonly hasRoom: () => boolean;
  /** The same as a stream: each subscription waits for a permit of its own, emits once and completes. */
  readonly permitsFor: (priority: RequestPriority) => Observable<void>;
}

/** How fast a client may ask about its jobs. */
export interface RequestBudgetOptions {
  /** Requests that may be made a second; default 5. */
  readonly perSecond?: number | undefined;
  /** Requests that may be made at once after a pause; default 10. */
  readonly burst?: number | undefined;
}

/**
 * A token bucket that all jobs of a client share: after a reconnect thousands of them ask REST at a rate that the service can
 * bear, and each waits with nothing but its place in a queue.
 *
 * Requests of one priority are served in the order of their arrival. `detail` comes before `record`, and both before
 * `status`, so that of many jobs that end at once each ends as early as the rate allows.
 */
export const rateLimiter = (
  clock: Clock,
  { perSecond = 5, burst = 10 }: RequestBudgetOptions = {},
): RateLimiter => {
  const queues: Readonly<Record<RequestPriority, Set<QueuedRequest>>> = {
    detail: new Set(),
    record: new Set(),
    status: new Set(),
  };
  const inOrder = [queues.detail, queues.record, queues.status];
  let tokens = burst;
  let countedAt = clock.now();
  let cancelTimer: CancelTimer | undefined;

  const refill = (): void => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - countedAt) * perSecond) / 1000);
    countedAt = now;
  };
  const serve = (): void => {
    cancelTimer = undefined;
    refill();
    // A request may queue another one, of any priority, as soon as it has its permit.
    for (let queue = waiting(); tokens >= 1 && queue !== undefined; queue = waiting()) {
      const [request] = queue;
      if (request === undefined) break;
      tokens -= 1;
      queue.delete(request);
      request.granted();
    }
    if (waiting() !== undefined)
      cancelTimer ??= clock.after(Math.ceil(((1 - tokens) * 1000) / perSecond), serve);
  };
  const waiting = (): Set<QueuedRequest> | undefined => inOrder.find(({ size }) => size > 0);
  const enqueue = (request: QueuedRequest, priority: RequestPriority = 'status'): void => {
    queues[priority].add(request);
    // While the timer is set there is no token.
    if (cancelTimer === undefined) serve();
  };
  const cancel = (request: QueuedRequest): void => {
    const wasWaiting = inOrder.map((queue) => queue.delete(request)).includes(true);
    if (!wasWaiting || waiting() !== undefined) return;
    cancelTimer?.();
    cancelTimer = undefined;
  };
  const permitsFor = (priority: RequestPriority): Observable<void> =>
    new Observable((subscriber) => {
      const request: QueuedRequest = {
        granted: () => {
          subscriber.next();
          subscriber.complete();
        },
      };
      enqueue(request, priority);
      return () => cancel(request);
    });

  const hasRoom = (): boolean => {
    refill();
    return waiting() === undefined && tokens >= burst / 2;
  };

  return { enqueue, cancel, hasRoom, permitsFor };
};
