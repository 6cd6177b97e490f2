import { defer, firstValueFrom, retry, takeUntil } from 'rxjs';
import type { Clock } from '../../../core/platform/platform.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';
import type { JobLeases } from './job-leases.js';
import type { JobRegistry } from '../registry/job-registry.js';
import type { KeptJob } from '../upstream/upstream.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { timerOn } from '../../../core/platform/timer.js';

/** The index, the registry and the leases to which {@link noteOf} writes the places of a job. */
export interface PlaceNotesContext {
  readonly clock: Pick<Clock, 'after'>;
  readonly index: Pick<JobIndex, 'update'>;
  readonly registry: Pick<JobRegistry, 'get' | 'setRecord'>;
  readonly held: Pick<JobLeases, 'isHeld'>;
  /** Fires when the gateway closes. */
  readonly stopped: AbortSignal;
}

/** How long to wait before a place is written again that the index could not take, in milliseconds. */
const againMs = 1_000;

/**
 * Keeps the places of a job: the submission waits until the index has its server, as long as that takes. Rejects with `Closed` when the gateway
 * closes, and where another process has the job, which submits it then.
 */
export const noteOf =
  ({ clock, index, registry, held, stopped }: PlaceNotesContext, id: string): KeptJob['placed'] =>
  async (place) => {
    const record = registry.get(id)?.record;
    if (record !== undefined) registry.setRecord({ ...record, place });
    const keep = async (): Promise<boolean> => {
      const isHeld = await held.isHeld(id);
      if (isHeld) await index.update(id, { place });
      return isHeld;
    };
    const isKept = await firstValueFrom(
      defer(keep).pipe(
        retry({ delay: () => timerOn(clock, againMs, { background: true }) }),
        takeUntil(fromAbortSignal(stopped)),
      ),
      { defaultValue: false },
    );
    if (!isKept) throw serviceError('Closed', {});
  };

/** Keeps the places of a job that is not in the registry yet, and gives its record with the last one. */
export const placesOf = (
  context: PlaceNotesContext,
  record: JobRecord,
): Pick<KeptJob, 'placed'> & { readonly record: () => JobRecord } => {
  let { place } = record;
  const note = noteOf(context, record.id);
  return {
    placed: (next) => {
      place = next;
      return note(next);
    },
    record: () => (place === undefined ? record : { ...record, place }),
  };
};
