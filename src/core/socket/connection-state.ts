/**
 * Where the connection stands.
 *
 * `idle`: the socket has no subscriber. `connecting`: the handshake is under way. `open`: frames flow. `waiting`: the next attempt
 * follows. `suspended`: two minutes without a socket; attempts and polling go on. `failed`: no attempt can succeed until `resume()`
 * or `setKey()`; jobs are followed by polling where REST still answers. `closed`: the client is closed.
 */
export type ConnectionState =
  | { readonly _tag: 'idle' }
  | {
      readonly _tag: 'connecting';
      /** Counts from 0 since the last stable socket. */
      readonly attempt: number;
    }
  | {
      readonly _tag: 'open';
      /** The id of this socket, a UUID. */
      readonly clientId: string;
    }
  | {
      readonly _tag: 'waiting';
      /** The attempt that follows, counted from 0 since the last stable socket. */
      readonly attempt: number;
      /** When it follows, in milliseconds from this state on; a submission makes it follow at once. */
      readonly delayMs: number;
      /** Why the socket broke or did not open, in a sentence. */
      readonly reason: string;
    }
  | {
      readonly _tag: 'suspended';
      /** The attempt that follows, counted from 0 since the last stable socket. */
      readonly attempt: number;
      /** Why the last attempt failed, in a sentence. */
      readonly reason: string;
    }
  | {
      readonly _tag: 'failed';
      /** `auth`: the key is refused; `billing`: the plan or the account is; `config`: the address or its certificate. */
      readonly cause: 'auth' | 'billing' | 'config';
      /** What refused the connection, in a sentence. */
      readonly reason: string;
    }
  | { readonly _tag: 'closed' };
