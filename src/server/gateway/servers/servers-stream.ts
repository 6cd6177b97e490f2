import type { Clock } from '../../../core/platform/platform.js';
import { type ByteSink, pullBody } from '../streams/pull-body.js';
import { encodings } from '../streams/encoding.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { map, merge, type Observable, repeat, Subscription, tap } from 'rxjs';
import type { RemoteServer } from '../../../core/events/remote-server.js';
import { restartableTimer } from '../streams/restartable-timer.js';
import { timerOn } from '../../../core/platform/timer.js';

/** How a stream of servers is written, and what ends it. */
export interface ServersStreamOptions {
  readonly clock: Clock;
  readonly format: 'sse' | 'ndjson';
  /** Each of them ends the stream. */
  readonly ends: readonly (AbortSignal | undefined)[];
  /** Called once the stream has ended, whatever ended it. */
  readonly ended: () => void;
  /** When a reader that takes nothing is cut, in milliseconds. */
  readonly stallMs: number;
}

/** How often a sign of life is sent, in milliseconds. */
const keepAliveMs = 15_000;

/** Where a reader is. */
interface ReaderState {
  /** Gets the bytes; undefined before the stream is read. */
  sink: ByteSink | undefined;
  /** What the reader gets once it asks. */
  next: Uint8Array | undefined;
  isWaiting: boolean;
  /** How many lists were sent. */
  count: number;
}

/** All servers, now and after each change: a slow reader gets the newest list, and one that takes nothing is cut. */
export const serversStream = (
  servers: Observable<readonly RemoteServer[]>,
  { clock, format, ends, ended, stallMs }: ServersStreamOptions,
): ReadableStream<Uint8Array> => {
  const encoding = encodings[format];
  const held = new Subscription();
  const stall = restartableTimer(clock);
  held.add(stall.clear);
  held.add(ended);
  const at: ReaderState = { sink: undefined, next: undefined, isWaiting: false, count: 0 };

  const end = (how: (sink: ByteSink) => void): void => {
    if (held.closed) return;
    held.unsubscribe();
    if (at.sink !== undefined) how(at.sink);
  };
  const stalled = (): void =>
    end(({ error }) => error(new Error(`The reader took nothing for ${stallMs} ms.`)));
  const give = (): void => {
    const { next } = at;
    if (next === undefined || held.closed) return;
    if (at.isWaiting) {
      at.next = undefined;
      at.isWaiting = false;
      at.sink?.write([next]);
    } else if (!stall.isSet()) stall.set(stallMs, stalled);
  };
  const show = (all: readonly RemoteServer[]): void => {
    at.count += 1;
    at.next = encoding.event(String(at.count), 'servers', { servers: all });
    give();
  };
  const live = (): void => {
    at.next ??= encoding.keepAlive;
    give();
  };
  const close = (): void => end((last) => last.close());
  const signs = timerOn(clock, keepAliveMs, { background: true }).pipe(repeat(), tap(live));
  const all = merge(
    servers.pipe(tap({ next: show, complete: close })),
    signs,
    ...ends.map((signal) => fromAbortSignal(signal).pipe(tap(close))),
  ).pipe(map(() => undefined));
  return pullBody({
    to: (given) => {
      const isFirst = at.sink === undefined;
      at.sink = given;
      if (isFirst) held.add(all.subscribe({ error: (error: unknown) => end((last) => last.error(error)) }));
    },
    pull: () => {
      at.isWaiting = true;
      stall.clear();
      give();
    },
    cancel: () => held.unsubscribe(),
  });
};
