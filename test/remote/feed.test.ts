import { describe, expect, it } from 'vitest';
import { feed, type Feed } from '../../src/page/remote/feed.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { life } from '../gateway/support.js';
import { progressOf, statusOf } from '../../src/core/events/state-members.js';
import type { StreamEvent } from '../../src/page/remote/stream-event.js';
import { Subject } from 'rxjs';

const running = (id: string, progress = 0): JobState => ({ ...life(id)[1]!, progress });
const over = (id: string): JobState => ({ ...life(id).at(-1)!, promptId: id });

/** A feed, and what is known after each of its news. */
const aFeed = () => {
  const events = new Subject<StreamEvent>();
  const news: (string | undefined)[] = [];
  let known: Feed | undefined;
  const watching = feed(events).subscribe((one) => {
    known = one;
    news.push(one.job);
  });
  let count = 0;
  return {
    news,
    watching,
    events,
    jobs: () => Object.fromEntries(known?.jobs ?? []),
    previews: (id: string) => [...(known?.previews.get(id)?.values() ?? [])].map((one) => one.id),
    snapshot: (jobs: readonly JobState[]) => events.next({ id: `s${(count += 1)}`, type: 'snapshot', jobs }),
    preview: (job: string, nodeId: string, id: string) =>
      events.next({ id: `v${(count += 1)}`, type: 'preview', preview: { job, nodeId, id } }),
    status: (job: string, state: JobState) =>
      events.next({
        id: `e${(count += 1)}`,
        type: 'job',
        job,
        event: { type: 'status', at: 1, status: statusOf(state) },
      }),
    submit: (job: string) =>
      events.next({
        ...{ id: `e${(count += 1)}`, type: 'job', job },
        event: { type: 'submitted', at: 1, state: running(job) },
      }),
    progress: (job: string, progress: number) =>
      events.next({
        ...{ id: `e${(count += 1)}`, type: 'job', job },
        event: { type: 'progress', at: 1, progress: progressOf(running(job, progress)) },
      }),
  };
};

describe('the feed of a remote', () => {
  it('knows nothing before the first snapshot, and then what changes', () => {
    const one = aFeed();
    one.submit('a');
    one.events.next({ id: 'x', type: 'other' });
    expect(one.news).toEqual([]);
    one.snapshot([running('a')]);
    one.submit('b');
    one.progress('a', 0.5);
    one.status('a', over('a'));
    one.events.next({ id: 'y', type: 'revoked' });
    expect(one.news).toEqual([undefined, 'b', 'a', 'a']);
    expect(one.jobs()['a']).toMatchObject({ phase: 'completed', progress: 0.5 });
    expect(one.jobs()['b']).toEqual(running('b'));
  });

  it('says nothing of what it knows already, and keeps the very states', () => {
    const one = aFeed();
    one.snapshot([running('a', 0.25)]);
    const before = one.jobs()['a'];
    one.snapshot([JSON.parse(JSON.stringify(running('a', 0.25))) as JobState]);
    expect(one.jobs()['a']).toBe(before);
    one.progress('a', 0.5);
    const later = one.jobs()['a'];
    expect(later).toEqual(running('a', 0.5));
    one.progress('a', 0.5);
    expect([one.jobs()['a'] === later, one.news]).toEqual([true, [undefined, undefined, 'a']]);
    one.snapshot([running('a', 0.75)]);
    expect(one.jobs()['a']).toEqual(running('a', 0.75));
  });

  it('leaves what it gave before as it was', () => {
    const one = aFeed();
    const seen: Feed[] = [];
    const watching = feed(one.events).subscribe((known) => seen.push(known));
    one.snapshot([running('a', 0.25)]);
    one.preview('a', '1', 'v1');
    one.progress('a', 0.5);
    one.status('a', over('a'));
    watching.unsubscribe();
    expect(seen.map(({ jobs }) => jobs.get('a')?.progress)).toEqual([0.25, 0.25, 0.5, 0.5]);
    expect(seen.map(({ previews }) => previews.get('a')?.size ?? 0)).toEqual([0, 1, 1, 0]);
  });

  it('takes states for the same in whatever order their members come', () => {
    const one = aFeed();
    const reversed = (state: JobState): JobState =>
      Object.fromEntries(Object.entries(state).reverse()) as unknown as JobState;
    one.snapshot([reversed(running('a', 0.25))]);
    const before = one.jobs()['a'];
    one.progress('a', 0.25);
    expect([one.jobs()['a'] === before, one.news]).toEqual([true, [undefined]]);
    one.snapshot([running('a', 0.25)]);
    expect(one.jobs()['a']).toBe(before);
  });

  it('knows the previews of jobs that run, each node’s newest, until their end or a snapshot', () => {
    const one = aFeed();
    one.snapshot([running('a'), running('b')]);
    one.preview('a', '1', 'v1');
    one.preview('a', '1', 'v2');
    one.preview('a', '2', 'v3');
    one.preview('b', '1', 'v4');
    one.preview('none', '1', 'v5');
    expect([one.previews('a'), one.previews('b'), one.previews('none')]).toEqual([['v2', 'v3'], ['v4'], []]);
    expect(one.news).toEqual([undefined, 'a', 'a', 'a', 'b']);
    one.status('a', over('a'));
    expect([one.previews('a'), one.previews('b')]).toEqual([[], ['v4']]);
    one.snapshot([running('b')]);
    expect([one.previews('b'), Object.keys(one.jobs())]).toEqual([[], ['b']]);
  });

  it('keeps the hundred jobs that ended last, and says nothing of those before', () => {
    const one = aFeed();
    // The newest come first.
    one.snapshot([running('on'), ...Array.from({ length: 100 }, (_, nth) => over(`old ${99 - nth}`))]);
    expect(Object.keys(one.jobs())).toHaveLength(101);
    one.submit('next');
    one.status('next', over('next'));
    expect(['old 0', 'old 1', 'on', 'next'].map((id) => id in one.jobs())).toEqual([false, true, true, true]);
    const count = one.news.length;
    one.status('old 0', over('old 0'));
    expect(one.news).toHaveLength(count);
    // A snapshot counts anew.
    one.snapshot(Array.from({ length: 100 }, (_, nth) => over(`new ${99 - nth}`)));
    expect(Object.keys(one.jobs())).toHaveLength(100);
  });

  it('forgets a job that the gateway has forgotten, and says so once', () => {
    const one = aFeed();
    const deleted: (string | undefined)[] = [];
    const watching = feed(one.events).subscribe((known) => deleted.push(known.deleted));
    one.snapshot([running('a'), over('b')]);
    one.events.next({ id: 'd1', type: 'deleted', job: 'b' });
    one.preview('a', '1', 'v1');
    one.progress('a', 0.5);
    one.events.next({ id: 'd2', type: 'deleted', job: 'of long ago' });
    one.status('a', over('a'));
    watching.unsubscribe();
    expect(Object.keys(one.jobs())).toEqual(['a']);
    expect(deleted).toEqual([undefined, 'b', undefined, undefined, 'of long ago', undefined]);
  });

  it('begins anew for each subscriber', () => {
    const events = new Subject<StreamEvent>();
    const seen: number[] = [];
    const source = feed(events);
    source.subscribe(({ jobs }) => seen.push(jobs.size));
    events.next({ id: '1', type: 'snapshot', jobs: [running('a')] });
    source.subscribe(({ jobs }) => seen.push(10 + jobs.size));
    events.next({ id: '2', type: 'job', job: 'b', event: { type: 'submitted', at: 1, state: running('b') } });
    expect(seen).toEqual([1, 2]);
  });
});
