import { isRefusal } from '../redis/refusal.js';
import type { OpenQueue } from '../jobs/open-queue.js';

/** Warns the program of a worker of what threw: the first half of a sentence, and the cause. */
export type TellThrown = (what: string, cause: unknown) => void;

/** So many reasons are known as told. */
const maxTold = 100;

/**
 * Tells each reason once: what threw is tried again, and would fill a log. Of a server that is unreachable, or takes no writes, the queue warns
 * by itself.
 */
export const tellsThrown = ({
  warn,
  trouble,
}: Pick<OpenQueue, 'warn'> & { readonly trouble: Pick<OpenQueue['trouble'], 'isAway'> }): TellThrown => {
  const told = new Set<string>();
  return (what, cause) => {
    if (trouble.isAway() || isRefusal(cause)) return;
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    if (told.has(reason)) return;
    if (told.size >= maxTold) told.clear();
    told.add(reason);
    warn(`${what}: ${reason}`);
  };
};
