import { Observable, Subject, switchMap } from 'rxjs';
import type { PageTabs } from '../../core/platform/page-tabs.js';
import type { StreamPlace } from './event-stream.js';
import type { RemoteConnection } from './connection.js';
import { readStreamEvent, type StreamEvent } from './stream-event.js';

/** A message between tabs: an event as it came, or `new` from a tab that asks for a snapshot. */
type Message = { readonly event: unknown } | 'new';

/** How many ids are remembered, so that events which a tab repeats when it takes over are not taken twice. */
const remembered = 500;

/**
 * The events of all jobs by one stream for all tabs of one name: the tab that holds the lock opens it and tells the others. When it goes,
 * the next one goes on after the last event that it has.
 *
 * @param open - Opens the stream from a place on.
 */
export const sharedStream = (
  open: (place: StreamPlace) => Observable<StreamEvent>,
  { lock, channel: channelOf }: PageTabs,
  name: string,
  report: (connection: RemoteConnection) => void,
): Observable<StreamEvent> =>
  new Observable((subscriber) => {
    const gone = new AbortController();
    const leads = new Subject<StreamPlace['after']>();
    let isLeading = false;
    /** The last event, once there was a snapshot. */
    let after: string | undefined;
    const ids = new Set<string>();

    const take = (event: StreamEvent): void => {
      const isSnapshot = event.type === 'snapshot';
      if (!isSnapshot && (after === undefined || ids.has(event.id))) return;
      ids.add(event.id);
      if (ids.size > remembered) for (const oldest of [...ids].slice(0, remembered / 2)) ids.delete(oldest);
      after = event.id;
      subscriber.next(event);
    };
    const channel = channelOf(name, (message) => {
      if (message === 'new') {
        if (isLeading) lead(undefined);
        return;
      }
      const event = readStreamEvent((message as Exclude<Message, 'new'>).event);
      if (event === undefined) return;
      if (event.type === 'snapshot') report({ _tag: 'open' });
      take(event);
    });
    const say = (message: Message): void => channel.post(message);
    const lead = (from: string | undefined): void => {
      isLeading = true;
      leads.next(from);
    };
    subscriber.add(
      leads.pipe(switchMap((from) => open({ after: from, came: (event) => say({ event }) }))).subscribe({
        next: take,
        error: (error: unknown) => subscriber.error(error),
      }),
    );
    say('new');
    lock(name, gone.signal, () => lead(after));
    return () => {
      gone.abort();
      channel.close();
    };
  });
