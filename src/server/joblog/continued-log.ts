import type { EventLog, LoggedEvent, LogPage, LogScope } from './event-log.js';

/**
 * Two logs as one, for a gateway that has changed from the former to the present one: first what the former log has, then the present one.
 *
 * Only the present log grows. A position is of the log that knows it, so that a reader of the former log resumes where it was, and goes on
 * into the present one. No process may write the former log any more. `close` closes both.
 */
export const continuedLog = (former: EventLog, present: EventLog): EventLog => ({
  append: present.append,
  position: present.position,
  read: async (scope, after, limit) => {
    if (after !== undefined) {
      const page = await present.read(scope, after, limit);
      if (!page.gap) return page;
    }
    const page = await former.read(scope, after, limit);
    if (!page.gap) return continued(present, scope, page.events, limit);
    // Either position is unknown, or the former log says what it has lost, or it never had the job.
    const isUnknown = after === undefined && page.rest === undefined;
    return isUnknown ? present.read(scope, undefined, limit) : page;
  },
  expire: async (owner, jobId) => {
    await Promise.all([former.expire(owner, jobId), present.expire(owner, jobId)]);
  },
  ...(present.changes !== undefined && { changes: present.changes }),
  close: async () => {
    await Promise.all([former.close?.(), present.close?.()]);
  },
});

/** A page whose first events are the last ones of the former log. */
const continued = async (
  present: EventLog,
  scope: LogScope,
  events: readonly LoggedEvent[],
  limit: number,
): Promise<LogPage> => {
  if (events.length >= limit) return { events, gap: false };
  const page = await present.read(scope, undefined, limit - events.length);
  return { events: [...events, ...page.events], gap: false };
};
