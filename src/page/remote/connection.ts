/**
 * Where the stream of a remote stands.
 *
 * `idle`: nothing is watched. `connecting`: the request is under way. `open`: events flow. `waiting`: the next attempt follows.
 * `failed`: the gateway refuses the stream, and the next one who watches tries again. `closed`: the remote is closed.
 */
export type RemoteConnection =
  | { readonly _tag: 'idle' | 'connecting' | 'open' | 'closed' }
  | {
      readonly _tag: 'waiting';
      /** When the next attempt follows, in milliseconds from this state on; the page's return makes it follow at once. */
      readonly delayMs: number;
      /** Why the stream broke or did not open, in a sentence. */
      readonly reason: string;
    }
  | {
      readonly _tag: 'failed';
      /** What the gateway refused, in a sentence. */
      readonly reason: string;
    };
