import type { Billing, ForbiddenCode } from '../fault.js';
import type { EmulatorClock } from '../clock.js';

import type { FaultRegistry } from './fault-registry.js';

/** The effects of faults on the account. */
export interface AccountFaults {
  /** Triggers faults on a request or handshake with this key, before it is handled. */
  readonly onRequest: (key: string | undefined, subject: string) => void;
  readonly isRevoked: (key: string | undefined) => boolean;
  /** Why the key is refused with 403; undefined if it is not. */
  readonly forbidden: (key: string | undefined) => ForbiddenCode | undefined;
}

/** What {@link createAccountFaults} works on. */
export interface AccountFaultsOptions {
  readonly registry: FaultRegistry;
  readonly clock: EmulatorClock;
  readonly setBilling: (billing: Billing) => void;
}

/** No effects yet. */
export const createAccountFaults = ({ registry, clock, setBilling }: AccountFaultsOptions): AccountFaults => {
  let revoked = new Set<string | undefined>();
  let forbidden = new Map<string | undefined, ForbiddenCode>();
  let generation = registry.generation();
  const resetIfReplaced = (): void => {
    if (generation === registry.generation()) return;
    generation = registry.generation();
    revoked = new Set();
    forbidden = new Map();
  };
  return {
    onRequest: (key, subject) => {
      resetIfReplaced();
      if (!registry.isArmed()) return;
      const passed = clock.now() - registry.setAt();
      for (const fault of registry.trigger(['account'], subject, ({ atMs = 0 }) => passed >= atMs)) {
        if (fault.do === 'billing') setBilling(fault.state);
        else if (fault.do === 'forbid') forbidden.set(key, fault.code);
        else revoked.add(key);
      }
    },
    isRevoked: (key) => {
      resetIfReplaced();
      return revoked.has(key);
    },
    forbidden: (key) => {
      resetIfReplaced();
      return forbidden.get(key);
    },
  };
};
