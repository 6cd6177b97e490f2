import type { Billing } from './fault.js';
import type { EmulatorClock } from '../clock.js';

import type { FaultRegistry } from './fault-registry.js';

/** What faults have done to the account so far. */
export interface AccountFaults {
  /** Lets faults strike a request or handshake that came with this key, before it is looked at. */
  readonly onRequest: (key: string | undefined, struck: string) => void;
  readonly isRevoked: (key: string | undefined) => boolean;
}

/** What {@link createAccountFaults} works on. */
export interface AccountFaultsOptions {
  readonly registry: FaultRegistry;
  readonly clock: EmulatorClock;
  readonly setBilling: (billing: Billing) => void;
}

/** An account that nothing has happened to. */
export const createAccountFaults = ({ registry, clock, setBilling }: AccountFaultsOptions): AccountFaults => {
  let revoked = new Set<string | undefined>();
  let generation = registry.generation();
  const resetIfReplaced = (): void => {
    if (generation === registry.generation()) return;
    generation = registry.generation();
    revoked = new Set();
  };
  return {
    onRequest: (key, struck) => {
      resetIfReplaced();
      if (!registry.isArmed()) return;
      const passed = clock.now() - registry.setAt();
      for (const fault of registry.trigger(['account'], struck, ({ atMs = 0 }) => passed >= atMs)) {
        if (fault.do === 'billing') setBilling(fault.state);
        else revoked.add(key);
      }
    },
    isRevoked: (key) => {
      resetIfReplaced();
      return revoked.has(key);
    },
  };
};
