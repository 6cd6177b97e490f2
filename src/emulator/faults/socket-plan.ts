import { abortConnection } from '../http/abort-connection.js';
import { createSocketInterceptor, type SocketInterceptor, type SocketParts } from './socket-interceptor.js';
import type { Duplex } from 'node:stream';
import type { EmulatorClock } from '../clock.js';
import type { InterruptionAction, SocketFault, SocketProgress } from '../fault.js';
import type { ClientSocket } from '../sockets/client-socket.js';
import { pacedStream } from '../http/paced-stream.js';

/** A fault of an open socket, or of its handshake where `after` is absent. */
type Interruption = Extract<SocketFault, { readonly do: InterruptionAction['do'] }>;

/** The faults of one socket. */
export interface SocketPlan {
  /** The fault that replaces the handshake, if there is one. */
  readonly handshake: Extract<SocketFault, { do: 'refuse' | 'redirect' | 'cut' | 'stall' }> | undefined;
  /** Additional headers of the handshake's answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Wraps the connection that the handshake runs on. */
  readonly stream: (connection: Duplex) => Duplex;
  /** Wraps the socket that the backend sends to. */
  readonly client: (client: ClientSocket, parts: SocketParts) => ClientSocket;
}

/** Combines the faults of one socket into a plan. */
export const planSocket = (
  faults: readonly SocketFault[],
  clock: EmulatorClock,
  uuid: () => string,
): SocketPlan => {
  const open = faults.filter(isInterruption).filter((fault): boolean => !isAtOpening(fault));
  const byBytes = open.find(({ after }) => after?.bytes !== undefined);
  const bytesPerSecond = faults.find((fault) => fault.do === 'drip')?.bytesPerSecond;
  const sizes = faults.find((fault) => fault.do === 'slice')?.sizes;
  const latencyMs = faults.find((fault) => fault.do === 'latency')?.ms;
  const idle = faults.find((fault) => fault.do === 'idle-close');
  let onBytesReached: (goOn: () => void) => void = () => undefined;

  return {
    handshake: faults.find(isAtOpening),
    headers: faults.reduce((all, fault) => (fault.do === 'headers' ? { ...all, ...fault.headers } : all), {}),
    stream: (connection) => {
      const isPlain = [byBytes, bytesPerSecond, sizes, latencyMs, idle].every((part) => part === undefined);
      if (isPlain) return connection;
      const stop = byBytes && {
        afterBytes: byBytes.after?.bytes ?? 0,
        act: (goOn: () => void) => onBytesReached(goOn),
      };
      const onTraffic = idle && idleClose(connection, idle, clock);
      return pacedStream(connection, { bytesPerSecond, sizes, latencyMs, onTraffic, stop }, clock);
    },
    client: (client, parts) => {
      if (open.length === 0) return client;
      const interceptor = createSocketInterceptor({ client, ...parts, clock, uuid });
      if (byBytes) {
        onBytesReached = (goOn) => {
          interceptor.apply(byBytes);
          if (byBytes.do === 'stall') {
            if (byBytes.ms !== undefined) clock.after(byBytes.ms, goOn);
          } else if (byBytes.do !== 'cut' && byBytes.do !== 'blackhole') {
            goOn();
          }
        };
      }
      for (const fault of open) schedule(fault, interceptor, client, clock);
      return interceptor.client;
    },
  };
};

/** A record rather than a list, so that the compiler demands every action. */
const interruptions: Readonly<Record<InterruptionAction['do'], true>> = {
  cut: true,
  stall: true,
  blackhole: true,
  mute: true,
  close: true,
  illegal: true,
  bytes: true,
  fragments: true,
  oversize: true,
  bomb: true,
  flood: true,
};

/** True for faults of an open socket or stream; of `cut` and `stall` also those at its opening. */
export const isInterruption = (fault: SocketFault): fault is Interruption =>
  Object.hasOwn(interruptions, fault.do);

/** True for faults that replace the opening. */
export const isAtOpening = (fault: SocketFault): fault is NonNullable<SocketPlan['handshake']> =>
  fault.do === 'refuse' ||
  fault.do === 'redirect' ||
  ((fault.do === 'cut' || fault.do === 'stall') && fault.after === undefined);

/** Applies the fault once, at the progress that it names. */
const schedule = (
  fault: Interruption,
  interceptor: SocketInterceptor,
  client: ClientSocket,
  clock: EmulatorClock,
): void => {
  const { messages, ms, bytes }: SocketProgress = fault.after ?? {};
  let isDone = false;
  const apply = (): void => {
    if (isDone) return;
    isDone = true;
    interceptor.apply(fault);
  };
  if (messages !== undefined && messages > 0) {
    interceptor.onSent((count) => {
      if (count >= messages) apply();
    });
  }
  if (ms !== undefined) client.onClose(clock.after(ms, apply));
  if (messages === 0 || (messages === undefined && ms === undefined && bytes === undefined)) apply();
};

/** Ends a connection after `ms` without traffic; the returned function reports traffic. */
const idleClose = (
  connection: Duplex,
  { ms, how = 'fin' }: Extract<SocketFault, { readonly do: 'idle-close' }>,
  clock: EmulatorClock,
): (() => void) => {
  let cancel = (): void => undefined;
  connection.once('close', () => cancel());
  return () => {
    cancel();
    if (!connection.destroyed) cancel = clock.after(ms, () => abortConnection(connection, how));
  };
};
