import { describe, expect, it } from 'vitest';
import { Observable, Subject } from 'rxjs';
import { playedTabs } from './played-tabs.js';
import { readStreamEvent, type StreamEvent } from '../../src/page/remote/stream-event.js';
import type { RemoteConnection } from '../../src/page/remote/connection.js';
import { sharedStream } from '../../src/page/remote/shared-stream.js';
import type { StreamPlace } from '../../src/page/remote/event-stream.js';
import { settle } from '../helpers/settle.js';

/** Events as a gateway sends them. */
const snapshot = (id: string) => ({ id, event: 'snapshot', data: { jobs: [] } });
const preview = (id: string) => ({ id, event: 'preview', data: { job: 'j', nodeId: '2', id } });

/** Tabs whose streams the test plays. */
const tabsOf = () => {
  const tabs = playedTabs();
  const streams: { readonly place: StreamPlace; readonly say: (event: object) => void; isOpen: boolean }[] =
    [];
  const fail = new Subject<never>();
  const open = (place: StreamPlace): Observable<StreamEvent> =>
    new Observable((subscriber) => {
      const stream = {
        place,
        isOpen: true,
        say: (raw: object) => {
          const event = readStreamEvent(raw)!;
          place.came?.(raw);
          subscriber.next(event);
        },
      };
      streams.push(stream);
      subscriber.add(() => (stream.isOpen = false));
      subscriber.add(fail.subscribe(subscriber));
    });
  const tab = async (name = 'alice') => {
    const ids: string[] = [];
    const reports: RemoteConnection['_tag'][] = [];
    const errors: unknown[] = [];
    const watching = sharedStream(open, tabs, name, ({ _tag }) => reports.push(_tag)).subscribe({
      next: ({ id }) => ids.push(id),
      error: (error: unknown) => errors.push(error),
    });
    await settle();
    return { ids, reports, errors, leave: () => watching.unsubscribe() };
  };
  return { tab, streams, fail, open: () => streams.filter(({ isOpen }) => isOpen) };
};

describe('the stream that tabs share', () => {
  it('is opened by one of them; a new tab gets a snapshot, and every tab each event once', async () => {
    const { tab, streams, open } = tabsOf();
    const one = await tab();
    streams[0]!.say(snapshot('1'));
    streams[0]!.say(preview('2'));
    const two = await tab();
    // The stream began anew for the tab that came.
    expect([streams.length, open().length]).toEqual([2, 1]);
    expect(streams.map(({ place }) => place.after)).toEqual([undefined, undefined]);
    streams[1]!.say(preview('3'));
    streams[1]!.say(snapshot('3~1'));
    streams[1]!.say(preview('4'));
    streams[1]!.say(preview('4'));
    await settle();
    expect([one.ids, two.ids]).toEqual([
      ['1', '2', '3', '3~1', '4'],
      ['3~1', '4'],
    ]);
    // Only a tab without a stream of its own hears of it by the events.
    expect([one.reports, two.reports]).toEqual([[], ['open']]);
    one.leave();
    two.leave();
    expect(open()).toEqual([]);
  });

  it('goes on after the last event that the next tab has, and what its gateway says again is not taken twice', async () => {
    const { tab, streams } = tabsOf();
    const one = await tab();
    const two = await tab();
    const leading = streams.at(-1)!;
    leading.say(snapshot('1'));
    for (const id of ['2', '3']) leading.say(preview(id));
    await settle();
    one.leave();
    await settle();
    const next = streams.at(-1)!;
    expect([next === leading, next.place.after]).toEqual([false, '3']);
    for (const id of ['2', '3', '4']) next.say(preview(id));
    await settle();
    expect(two.ids).toEqual(['1', '2', '3', '4']);
    two.leave();
  });

  it('remembers what it said for long enough, and not for ever', async () => {
    const { tab, streams } = tabsOf();
    const one = await tab();
    const [leading] = streams;
    leading!.say(snapshot('s'));
    for (let id = 0; id < 600; id += 1) leading!.say(preview(String(id)));
    leading!.say(preview('400'));
    expect(one.ids).toHaveLength(601);
    leading!.say(preview('0'));
    expect(one.ids.at(-1)).toBe('0');
    one.leave();
  });

  it('is another one for another name, and errors in the tab that holds it', async () => {
    const { tab, streams, fail, open } = tabsOf();
    const one = await tab();
    const other = await tab('bob');
    expect(open()).toHaveLength(2);
    streams[0]!.say(snapshot('1'));
    await settle();
    expect(other.ids).toEqual([]);
    const refused = new Error('refused');
    fail.error(refused);
    expect([one.errors, other.errors]).toEqual([[refused], [refused]]);
  });
});
