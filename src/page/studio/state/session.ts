import { BehaviorSubject } from 'rxjs';
import type { World } from './world.js';

const key = 'promptwire token';

/** Who uses the studio: the token of the tab. It stands in no address, and no other tab has it. */
export interface Session {
  /** Undefined for a gateway of one's own machine, which asks for none, and before the sign-in. */
  readonly token: BehaviorSubject<string | undefined>;
  readonly signIn: (token: string) => void;
  readonly signOut: () => void;
}

/** Opens the session of the tab. */
export const openSession = ({ tab }: Pick<World, 'tab'>): Session => {
  const token = new BehaviorSubject(tab.getItem(key) ?? undefined);
  return {
    token,
    signIn: (given) => {
      tab.setItem(key, given);
      token.next(given);
    },
    signOut: () => {
      tab.removeItem(key);
      token.next(undefined);
    },
  };
};
