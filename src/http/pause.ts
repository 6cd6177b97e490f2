import type { Ending, ScopeOptions } from './call-scope.js';
import { CallScope } from './call-scope.js';

/**
 * Waits on the platform's clock, or until `over` settles; resolves with what cut the wait short, if anything did.
 */
export const pause = (
  options: ScopeOptions,
  over?: Promise<void>,
): Promise<Exclude<Ending, 'timeout'> | undefined> =>
  new Promise((resolve) => {
    const scope = new CallScope(options);
    const done = (): void => {
      const ending = scope.ending();
      resolve(ending === 'timeout' ? undefined : ending);
    };
    scope.patient();
    if (scope.ending() === undefined) scope.whenEnded(done);
    else done();
    void over?.then(() => {
      scope.release();
      done();
    });
  });
