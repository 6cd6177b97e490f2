import type { DialectStrategy } from './dialect.js';
import * as E from '../../core/protocol/either.js';
import { serviceError } from '../../core/errors/service-error.js';

/**
 * Ends a job of a local server: by the jobs API where the engine cancels by that (docs/protocol.md, L.74). Else it takes it out of the queue where it waits, and interrupts it while the queue shows it as running.
 *
 * Engines before September 2025 ignore the id of an interrupt and end what runs (docs/protocol.md, L.18): so each interrupt follows
 * a look at the queue, which has to list this very job as running. On such an engine one round trip remains in which the job may end
 * and another one begin. Where neither queue nor history has the job, there is nothing to end.
 */
export const cancelLocalJob: DialectStrategy['cancel'] =
  (rest, promptId, more = {}) =>
  async () => {
    const { deleted, ...options } = more;
    const asked = await rest.cancelJob(promptId, options)();
    if (E.isLeft(asked)) return asked;
    if (asked.right !== 'no route') return E.right(asked.right === 'taken' ? 'found' : 'asked');
    const taken = await rest.cancel([promptId], options)();
    if (E.isLeft(taken)) return taken;
    const status = await rest.jobStatus(promptId, options)();
    if (E.isLeft(status) && status.left._tag === 'NotFound') return E.right('asked');
    if (E.isLeft(status)) {
      deleted?.();
      return status;
    }
    const { phase } = status.right;
    if (phase === 'in_progress') {
      const interrupted = await rest.interrupt({ ...options, promptId })();
      return E.isLeft(interrupted) ? interrupted : E.right('asked');
    }
    return phase === 'pending'
      ? E.left(serviceError('CancelNotApplied', { promptId, phase }))
      : E.right('asked');
  };
