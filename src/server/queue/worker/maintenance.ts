import { askServer } from './ask-server.js';
import { intervalOn } from '../../../core/platform/timer.js';
import type { OpenQueue } from '../jobs/open-queue.js';
import { publish } from '../telemetry/channels.js';
import type { QueueWorkerOptions } from '../options.js';
import type { Rest } from './rest.js';
import type { StoreStats } from '../store/redis-queue-store.js';
import { catchError, defer, EMPTY, exhaustMap, startWith, type Subscription } from 'rxjs';
import type { TellThrown } from './tell-thrown.js';
import { uuid } from '../../../core/platform/uuid.js';

/** How often a worker maintains the whole queue, in milliseconds. */
const everyMs = 5_000;
/** How long a server may take to answer before it counts as unreachable, in milliseconds. */
const answerWithinMs = 3_000;
/** How late a slot token may be before it counts as lost, in milliseconds. */
const overdueMs = 5_000;
const [keptJobs, keptMs, keptBytes] = [10_000, 7 * 24 * 3600 * 1000, 256 * 1024 * 1024];
/** How long input files that no open job names are kept, in milliseconds, and how many bytes all files may have. */
const [keptFileMs, keptFileBytes] = [24 * 3600 * 1000, 256 * 1024 * 1024];
/** The most slot tokens that are added at once. */
const maxTokens = 1_000;

/** In a queue without jobs a worker reads the stats every second round, and forgets old jobs every twelfth. */
const [restingRounds, restingPrunes] = [2, 12];

/** The parts of a queue that a worker maintains. */
type Kept = Pick<
  OpenQueue,
  'slotTokens' | 'queueStore' | 'files' | 'kind' | 'clock' | 'logger' | 'redis' | 'trouble'
>;

interface MaintenanceOptions extends Pick<QueueWorkerOptions, 'name' | 'retention'> {
  /** How many slots the account had when the worker began. */
  readonly slots?: number | undefined;
  readonly tellThrown: TellThrown;
}

/**
 * Maintains the queue from time to time: sets how many slot tokens run at once, adds the slot tokens that a crash has lost between a job and its
 * slot token, and those of held jobs that are gone, forgets old jobs, and publishes how full the queue is. A slot token too many takes no job and ends.
 *
 * A queue without jobs lets the worker rest.
 */
export const maintain = (queue: Kept, options: MaintenanceOptions, rest?: Rest): Subscription =>
  intervalOn(queue.clock, everyMs)
    .pipe(
      startWith(undefined),
      exhaustMap((_, round) =>
        // What fails now is done next time.
        defer(() => maintainOnce(queue, options, { rest, round })).pipe(
          catchError((cause: unknown) => {
            options.tellThrown('The queue could not be maintained', cause);
            return EMPTY;
          }),
        ),
      ),
    )
    .subscribe();

const maintainOnce = async (
  queue: Kept,
  options: MaintenanceOptions,
  { rest, round }: { readonly rest: Rest | undefined; readonly round: number },
): Promise<void> => {
  const isResting = rest?.isResting() === true;
  if (isResting && round % restingRounds > 0) return;
  const hints = rest?.hints() ?? 0;
  const stats = await askServer(queue, answerWithinMs);
  const prunes = !isResting || round % restingPrunes === 0;
  if (stats !== undefined) await mend(queue, stats, { ...options, prunes });
  rest?.decide(stats !== undefined && (await isIdle(queue, stats)), hints);
};

const isIdle = async (
  { slotTokens }: Pick<Kept, 'slotTokens'>,
  { waiting, delayed, held }: StoreStats,
): Promise<boolean> => waiting + delayed + held === 0 && (await slotTokens.deliveries()) === 0;

/** Mends what a crash, or a server that lost its keys, has left, and tells how full the queue is. */
const mend = async (
  { slotTokens, queueStore, files, kind, logger }: Kept,
  stats: StoreStats,
  {
    name,
    slots = 1,
    retention = {},
    prunes,
  }: Omit<MaintenanceOptions, 'tellThrown'> & { readonly prunes: boolean },
): Promise<void> => {
  const { waiting, delayed, held, unknown, external, slots: limit } = stats;
  await slotTokens.setLimit(Math.max(0, limit - external));
  // A server that has lost its keys has one slot.
  if (slots > limit) await queueStore.setSlots(slots, 'NX');
  if (waiting + delayed + held > 0) await addLostTokens({ slotTokens, queueStore }, stats);
  const { count = keptJobs, ageMs = keptMs, bytes = keptBytes } = retention;
  if (prunes) await queueStore.prune({ count, ageMs, bytes });
  if (prunes && kind === 'servers') await files.expire(keptFileMs, keptFileBytes);
  const message = { queue: name, waiting, delayed, held, unknown, external, limit };
  publish('promptwire:queue:stats', () => message, logger);
};

const addLostTokens = async (
  { slotTokens, queueStore }: Pick<Kept, 'slotTokens' | 'queueStore'>,
  { waiting, delayed, held }: StoreStats,
): Promise<void> => {
  const missing = waiting === 0 ? 0 : Math.min(maxTokens, waiting - (await slotTokens.due()));
  const extra = Array.from({ length: Math.max(0, missing) }, () => uuid());
  const overdue = delayed === 0 ? [] : await queueStore.overdue(overdueMs);
  // Adding a slot token that exists does nothing; one that ended without its job is added again.
  const gone = held === 0 ? [] : await queueStore.heldTokens();
  const lost = [...extra, ...overdue, ...gone];
  if (lost.length > 0) await slotTokens.addAll(lost.map((id) => ({ id })));
};
