import { distinctUntilKeyChanged, filter, map, type OperatorFunction } from 'rxjs';
import type { ConnectionState } from '../../node.js';

/** What became of the connection: `missing` before it first opened, `lost` after it was open, `back` once it is open again. */
export interface ConnectionChange {
  readonly state: 'missing' | 'lost' | 'back';
  /** Why the connection is not open. */
  readonly reason?: string;
}

/** Passes the moments in which a person must know of the connection: not the first opening, and no further attempts. */
export const connectionChanges = (): OperatorFunction<ConnectionState, ConnectionChange> => (source) =>
  source.pipe(
    map(changeOf),
    filter((change) => change !== undefined),
    distinctUntilKeyChanged('state'),
    map((change, index) => (index > 0 ? change : firstOf(change))),
    filter((change) => change !== undefined),
  );

const firstOf = (change: ConnectionChange): ConnectionChange | undefined =>
  change.state === 'back' ? undefined : { ...change, state: 'missing' };

const changeOf = (connection: ConnectionState): ConnectionChange | undefined => {
  switch (connection._tag) {
    case 'open':
      return { state: 'back' };
    case 'waiting':
    case 'suspended':
    case 'failed':
      return { state: 'lost', reason: connection.reason };
    default:
      return undefined;
  }
};
