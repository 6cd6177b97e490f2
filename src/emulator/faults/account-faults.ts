import type { Billing } from './fault.js';
import type { EmulatorClock } from '../clock.js';

import type { FaultMachine } from './fault-machine.js';

/** What faults have done to the account so far. */
export interface AccountFaults {
  /** Lets faults strike a request or handshake that came with this key, before it is looked at. */
  readonly meet: (key: string | undefined, struck: string) => void;
  readonly isRevoked: (key: string | undefined) => boolean;
}

/** What {@link createAccountFaults} works on. */
export interface AccountFaultsOptions {
  readonly machine: FaultMachine;
  readonly clock: EmulatorClock;
  readonly setBilling: (billing: Billing) => void;
}

/** An account that nothing has happened to. */
export const createAccountFaults = ({ machine, clock, setBilling }: AccountFaultsOptions): AccountFaults => {
  let revoked = new Set<string | undefined>();
  let epoch = machine.epoch();
  const forget = (): void => {
    if (epoch === machine.epoch()) return;
    epoch = machine.epoch();
    revoked = new Set();
  };
  return {
    meet: (key, struck) => {
      forget();
      if (!machine.isArmed()) return;
      const passed = clock.now() - machine.setAt();
      for (const fault of machine.struckBy(['account'], struck, ({ atMs = 0 }) => passed >= atMs)) {
        if (fault.do === 'billing') setBilling(fault.state);
        else revoked.add(key);
      }
    },
    isRevoked: (key) => {
      forget();
      return revoked.has(key);
    },
  };
};
