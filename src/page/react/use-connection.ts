import { map, type Observable } from 'rxjs';
import { type Shared, shared, type View } from './shared.js';
import { useView } from './use-shared.js';

/** A source with a connection: a client of `promptwire` or of `promptwire/promises`, or a remote. */
export interface ConnectionSource<State> {
  /** The current state for each subscriber, then each change. */
  readonly connection: Observable<State>;
}

/**
 * Shows where the connection of a client or a remote stands, such as for a banner.
 *
 * Showing it opens nothing. On a server, and without a source, it is `idle`.
 *
 * @example
 * ```ts
 * import type { Remote } from 'promptwire/remote';
 * import { useConnection } from 'promptwire/react';
 *
 * const useBanner = (remote: Remote): string | undefined => {
 *   const connection = useConnection(remote);
 *   return connection._tag === 'waiting' || connection._tag === 'failed' ? connection.reason : undefined;
 * };
 * ```
 */
export const useConnection = <State>(
  source: ConnectionSource<State> | undefined,
): State | { readonly _tag: 'idle' } =>
  useView<ConnectionSource<State>, ConnectionView<State>>(source, 'connection', sharedConnection, notKnown)
    .state;

interface ConnectionView<State> extends View {
  readonly state: State | { readonly _tag: 'idle' };
}

const notKnown: ConnectionView<never> = {
  state: { _tag: 'idle' },
  error: undefined,
  retry: () => undefined,
};

const sharedConnection = <State>(
  source: ConnectionSource<State>,
  key: string,
): Shared<ConnectionView<State>> =>
  shared<ConnectionView<State>>(source, key, notKnown, () =>
    source.connection.pipe(map((state) => ({ state }))),
  );
