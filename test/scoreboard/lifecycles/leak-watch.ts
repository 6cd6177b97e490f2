import { subscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../src/core/platform/platform.js';

/** What a process holds that its client may have left there. */
export interface Left {
  /** Of the client's clock, those that keep no process alive among them. */
  readonly timers: number;
  /** Connections that were opened and not destroyed. */
  readonly sockets: number;
  /** Anything else that keeps the process alive. */
  readonly handles: number;
  /** Of the process and its streams. */
  readonly listeners: number;
  /** On the signals that the calls were given. */
  readonly 'abort listeners': number;
}

/** Counts what a client takes from its platform; the counts are differences to the moment at which it was made. */
export const leakWatch = () => {
  const sockets = new Set<Socket>();
  subscribe('net.client.socket', (message) => {
    const { socket } = message as { readonly socket: Socket };
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const before = { handles: handles(), listeners: listeners() };
  let timers = 0;

  return {
    /** The clock, with its timers counted. */
    counted: (clock: Clock): Clock => ({
      ...clock,
      after: (delayMs, work, options) => {
        let isSet = true;
        timers += 1;
        const done = (): void => {
          if (isSet) timers -= 1;
          isSet = false;
        };
        const cancel = clock.after(
          delayMs,
          () => {
            done();
            work();
          },
          options,
        );
        return () => {
          done();
          cancel();
        };
      },
    }),
    /** A destroyed handle is gone a turn later, and what it held in turn one more. */
    left: async (signals: readonly AbortSignal[]): Promise<Left> => {
      for (let turns = 0; turns < 4; turns += 1) await turn();
      return {
        timers,
        sockets: sockets.size,
        handles: handles() - before.handles,
        listeners: listeners() - before.listeners,
        'abort listeners': signals.reduce(
          (sum, signal) => sum + getEventListeners(signal, 'abort').length,
          0,
        ),
      };
    },
  };
};

/** What a program's own output and its files are, is not the client's. */
const own = new Set(['PipeWrap', 'TTYWrap', 'FSReqPromise', 'FSReqCallback', 'MessagePort', 'Immediate']);

const handles = (): number => process.getActiveResourcesInfo().filter((name) => !own.has(name)).length;

const listeners = (): number =>
  [process, process.stdout, process.stderr].reduce(
    (sum, emitter) => sum + emitter.eventNames().reduce((all, name) => all + emitter.listenerCount(name), 0),
    0,
  );
