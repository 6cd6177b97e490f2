import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** A way to a server on the loopback interface that can be slow. */
export interface SlowProxy extends AsyncDisposable {
  readonly port: number;
  /** Delays what is sent from now on by so many milliseconds, in either direction. */
  readonly delayBy: (ms: number) => void;
}

/** Opens a way to this port, without a delay. */
export const openSlowProxy = async (target: number): Promise<SlowProxy> => {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
      // `close` follows.
      socket.on('error', () => undefined);
    }
    pass(near, far);
    pass(far, near);
  });
  const pass = (from: Socket, to: Socket): void => {
    let last = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      const late = wait(delayMs);
      // In their order, also when the delay becomes shorter.
      last = last.then(() => late).then(() => void to.write(bytes));
    });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    delayBy: (ms) => {
      delayMs = ms;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
