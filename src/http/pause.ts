import type { Ending, ScopeOptions } from './call-scope.js';
import { openScope } from './call-scope.js';

/** Waits on the platform's clock; resolves with what cut the wait short, if anything did. */
export const pause = (options: ScopeOptions): Promise<Exclude<Ending, 'timeout'> | undefined> =>
  new Promise((resolve) => {
    const scope = openScope(options);
    const done = (): void => {
      const ending = scope.ending();
      resolve(ending === 'timeout' ? undefined : ending);
    };
    if (scope.signal.aborted) done();
    else scope.signal.addEventListener('abort', done, { once: true });
  });
