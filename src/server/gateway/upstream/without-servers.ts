import type { LoggedEvent } from '../../joblog/event-log.js';
import type { QueueLog } from '../../joblog/queue-log.js';
import { withoutMember } from '../../../core/state/without-member.js';

/** The members of a state of a queue over servers that are not the callers' business. */
interface Place {
  readonly server?: unknown;
  readonly attempt?: unknown;
}

/** The log of a queue without the servers of its jobs. */
export const logWithoutServers = (log: QueueLog): QueueLog => ({
  ...log,
  read: async (scope, after, limit) => {
    const { events, rest, ...page } = await log.read(scope, after, limit);
    return {
      ...page,
      events: events.map(loggedWithoutServer),
      ...(rest !== undefined && { rest: loggedWithoutServer(rest) }),
    };
  },
});

/** A state, or a status of it, without its server and attempt. */
export const withoutServer = <State extends object>(
  state: State & Place,
): Omit<Omit<State & Place, 'server'>, 'attempt'> => withoutMember(withoutMember(state, 'server'), 'attempt');

const loggedWithoutServer = ({ event, ...more }: LoggedEvent): LoggedEvent => ({
  ...more,
  event: event.type === 'status' ? { ...event, status: withoutServer(event.status) } : event,
});
