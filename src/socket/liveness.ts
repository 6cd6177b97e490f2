import type { CancelTimer, Clock, SocketHandle } from './platform.js';

const pingEveryMs = 25_000;
const answerWithinMs = 10_000;

/**
 * Ends a socket whose peer has gone without a word: pings it every 25 s and closes it when 10 s later nothing at all has
 * arrived. Only what was received counts as life; where the platform can't ping, nothing is done, and the silence of a
 * job makes it ask over REST instead.
 *
 * @param received how many messages and pongs have arrived so far
 */
export const startLiveness = (clock: Clock, socket: SocketHandle, received: () => number): CancelTimer => {
  const { ping } = socket;
  if (ping === undefined) return () => undefined;

  let cancel: CancelTimer;
  const wait = (): void => {
    cancel = clock.after(
      pingEveryMs,
      () => {
        const before = received();
        ping();
        cancel = clock.after(
          answerWithinMs,
          () => {
            if (received() === before) socket.close(true);
            else wait();
          },
          { background: true },
        );
      },
      { background: true },
    );
  };
  wait();
  return () => cancel();
};
