import type { BehaviorSubject } from 'rxjs';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Studio } from '../state/studio.js';

/** The studio of the page, for all views. */
export const StudioContext = createContext<Studio | undefined>(undefined);

/** The studio; views stand below {@link StudioContext}. */
export const useStudio = (): Studio => {
  const studio = useContext(StudioContext);
  if (studio === undefined) throw new Error('This view stands outside of the studio.');
  return studio;
};

/** The latest value of a state, and a new rendering with each change. */
export const useValue = <A>(state: BehaviorSubject<A>): A =>
  useSyncExternalStore(
    (listener) => {
      const watching = state.subscribe(listener);
      return () => watching.unsubscribe();
    },
    () => state.value,
  );
