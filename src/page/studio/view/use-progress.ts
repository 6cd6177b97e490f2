import { useEffect, useMemo, useState } from 'react';
import { BehaviorSubject, filter } from 'rxjs';
import { progress } from '../../../remote.js';
import type { JobState, Progress } from '../../../index.js';
import type { KnownJob } from '../state/jobs.js';

type Shown = Pick<Progress, 'value' | 'timeLeftMs' | 'timeLeftMaxMs'>;

const none: Shown = { value: 0 };

/** How far a job is and how long it takes, also between its states. */
export const useProgress = ({ state }: Pick<KnownJob, 'state'>): Shown => {
  const states = useMemo(() => new BehaviorSubject<JobState | undefined>(undefined), []);
  const [shown, setShown] = useState(none);
  useEffect(() => states.next(state), [states, state]);
  useEffect(() => {
    const watching = states
      .pipe(
        filter((one) => one !== undefined),
        progress({ periodMs: 500 }),
      )
      .subscribe(setShown);
    return () => watching.unsubscribe();
  }, [states]);
  return shown;
};
