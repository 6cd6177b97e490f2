import type { Agent } from 'node:http';
import type { OnReadOpts, Socket } from 'node:net';

/**
 * Lets each connection of an agent read into one buffer, again and again.
 *
 * Node's HTTP client takes a copy of every piece of a body anyway. With a fresh buffer for each read besides, a large file
 * leaves twice its size to the garbage collector, which then runs twice as often as the bytes themselves ask for.
 */
export const reuseReadBuffers = (agent: Agent): void => {
  const from = agent as unknown as Connecting;
  const connect = from.createConnection.bind(agent);
  from.createConnection = (options, done) => connect({ ...options, onread: intoOneBuffer() }, done);
};

/** Whether the bytes of this piece are going to be read over. */
export const isReadBuffer = ({ buffer }: Uint8Array): boolean => readBuffers.has(buffer);

/** What the types of Node leave out. */
interface Connecting {
  createConnection: (options: { readonly onread?: OnReadOpts }, done?: unknown) => Socket;
}

const readBuffers = new WeakSet<ArrayBufferLike>();
const readBytes = 256 * 1024;

/** What was read is told as the socket itself would tell it; its listeners are called before the next read. */
const intoOneBuffer = (): OnReadOpts => {
  const buffer = new Uint8Array(readBytes);
  readBuffers.add(buffer.buffer);
  return {
    buffer,
    callback: function (this: Socket, length: number): boolean {
      this.emit('data', Buffer.from(buffer.buffer, 0, length));
      return true;
    },
  };
};
