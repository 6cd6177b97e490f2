import type { Billing } from '../billing.js';
import type { Occurrence } from './occurrence.js';

/**
 * What happens to the account in the middle of everything, in the cloud dialect; matches are requests and handshakes, and
 * with `atMs` those made at least so long after the faults were set.
 */
export type AccountFault = Occurrence & { readonly on: 'account'; readonly atMs?: number } &
  /** From this request on its key is refused with 401, until the faults are replaced. Open sockets stay open. */
  (
    | { readonly do: 'revoke' }
    /** From this request on the plan is in this state, until `setBilling` or the next such fault. */
    | { readonly do: 'billing'; readonly state: Billing }
  );
