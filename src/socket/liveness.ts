import type { CancelTimer, Clock, SocketHandle } from './platform.js';

const tickMs = 5_000;
const pingEveryMs = 25_000;
const answerWithinMs = 10_000;
/** A tick that comes this much too late tells of a machine that slept, or of a program that was busy for as long. */
const sleptMs = 10_000;

/**
 * Ends a socket whose peer has gone without a word, within 40 s.
 *
 * Every 25 s the peer is pinged; when nothing at all has arrived 10 s later the socket is closed. Only what was received
 * counts as life. A machine that slept is noticed by either clock, monotonic or wall, having run ahead of the ticks:
 * whatever the socket says then, it is closed, and a new one finds out what was missed. Where the platform can't ping, a
 * silent job asks over REST instead.
 *
 * @param received how many messages and pongs have arrived so far
 */
export const startLiveness = (clock: Clock, socket: SocketHandle, received: () => number): CancelTimer => {
  let cancel: CancelTimer;
  let sinceProbe = 0;
  let receivedAtPing: number | undefined;

  const tick = (now: number, wall: number): void => {
    cancel = clock.after(
      tickMs,
      () => {
        const passed = Math.max(clock.now() - now, clock.wall() - wall);
        if (passed >= tickMs + sleptMs || probe()) socket.close(true);
        else tick(clock.now(), clock.wall());
      },
      { background: true },
    );
  };
  /** Pings when it is time to, and tells whether a ping went without any answer. */
  const probe = (): boolean => {
    sinceProbe += tickMs;
    if (receivedAtPing !== undefined && sinceProbe >= answerWithinMs) {
      if (received() === receivedAtPing) return true;
      receivedAtPing = undefined;
    }
    if (socket.ping !== undefined && sinceProbe >= pingEveryMs) {
      receivedAtPing = received();
      sinceProbe = 0;
      socket.ping();
    }
    return false;
  };

  tick(clock.now(), clock.wall());
  return () => cancel();
};
