import type { PoolServer } from '../state/pool-server.js';

/** One of the servers behind a gateway, as it writes it and a remote reads it: of its pool, or of its queue. */
export interface RemoteServer extends PoolServer {
  /** The living workers that bring it to a queue. With none, `health` is `down`: another worker has to bring it. */
  readonly workers?: readonly string[];
}
