import type { EventLog, LoggedEvent, LogScope } from './event-log.js';

/** What a log has of a job from the beginning. */
export interface Replay {
  /** In the order of their positions; if the first ones have made room for others, one event stands for them all. */
  readonly events: readonly LoggedEvent[];
  /** Whether the log has all of the job's events up to there. */
  readonly isWhole: boolean;
}

const pageSize = 1_000;

/** Reads all events of a job, or those up to a position of its owner's log, also while others are appended. */
export const replay = async (
  log: Pick<EventLog, 'read'>,
  scope: Required<LogScope>,
  upTo?: string,
): Promise<Replay> => {
  const first = await log.read(scope, undefined, pageSize);
  const known = first.gap && first.rest !== undefined ? [first.rest] : first.events;
  const more = await following(log, scope, known, first.gap ? 0 : pageSize);
  // Events made room for others meanwhile.
  if (more === undefined) return replay(log, scope, upTo);
  const events = [...known, ...more];
  if (upTo === undefined) return { events, isWhole: !first.gap };
  // By their ids, as events may have been appended since.
  const later = new Set((await eventsAfter(log, scope, upTo)).map(({ id }) => id));
  return { events: events.filter(({ id }) => !later.has(id)), isWhole: !first.gap };
};

/** The events of a scope after a position; none where that is a gap. */
export const eventsAfter = async (
  log: Pick<EventLog, 'read'>,
  scope: LogScope,
  position: string,
): Promise<readonly LoggedEvent[]> => (await eventsSince(log, scope, position)) ?? [];

/** The same; undefined if the position is a gap, such as in a log that was lost. */
export const eventsSince = async (
  log: Pick<EventLog, 'read'>,
  scope: LogScope,
  position: string,
): Promise<readonly LoggedEvent[] | undefined> => {
  const { events, gap } = await log.read(scope, position, pageSize);
  if (gap) return undefined;
  return [...events, ...((await following(log, scope, events, pageSize)) ?? [])];
};

/** The events after a page of `limit`; undefined if the log has a gap there. */
const following = async (
  log: Pick<EventLog, 'read'>,
  scope: LogScope,
  page: readonly LoggedEvent[],
  limit: number,
): Promise<readonly LoggedEvent[] | undefined> => {
  const events: LoggedEvent[] = [];
  let last = page.length < limit ? undefined : page.at(-1);
  while (last !== undefined) {
    const next = await log.read(scope, last.id, pageSize);
    if (next.gap) return undefined;
    for (const event of next.events) events.push(event);
    last = next.events.length < pageSize ? undefined : next.events.at(-1);
  }
  return events;
};
