/** Where the connection stands. */
export type ConnectionState =
  /** The socket has no subscriber. */
  | { readonly _tag: 'idle' }
  /** The handshake is under way; `attempt` counts from 0 since the last stable socket. */
  | { readonly _tag: 'connecting'; readonly attempt: number }
  | { readonly _tag: 'open'; readonly clientId: string }
  /** The next attempt follows in `delayMs`. */
  | { readonly _tag: 'waiting'; readonly attempt: number; readonly delayMs: number; readonly reason: string }
  /** Two minutes without a socket: attempts and polling go on. */
  | { readonly _tag: 'suspended'; readonly attempt: number; readonly reason: string }
  /** No attempt can succeed until `resume()` or `setKey()`; jobs are followed by polling where REST still answers. */
  | { readonly _tag: 'failed'; readonly cause: 'auth' | 'billing' | 'config'; readonly reason: string }
  | { readonly _tag: 'closed' };
