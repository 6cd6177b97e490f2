import { describe, expect, it } from 'vitest';
import { aRemote } from './a-remote.js';
import { isServiceError } from '../../src/errors/service-error.js';
import type { JobState } from '../../src/state/job-state.js';
import { lastValueFrom } from 'rxjs';
import { life, submitted } from '../gateway/support.js';
import type { RemoteConnection } from '../../src/remote/connection.js';

const tagOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isServiceError(error) ? error._tag : error),
  );

describe('the stream of a remote', () => {
  it('is one for all that is watched, and closes some time after the last one who watched', async () => {
    const setting = await aRemote();
    const { remote, clock, asked } = setting;
    const ids = [];
    for (let count = 0; count < 50; count += 1) ids.push((await submitted(setting)).record.id);
    const seen = new Map<string, JobState>();
    const watching = ids.map((id) => remote.follow(id).subscribe((state) => seen.set(id, state)));
    await clock.advance(1_000);
    expect([...seen.keys()].toSorted()).toEqual(ids.toSorted());
    expect(asked.map(({ path }) => path)).toEqual(['/events']);
    for (const one of watching) one.unsubscribe();
    await clock.advance(4_000);
    expect(setting.openStreams()).toBe(1);
    await clock.advance(2_000);
    expect(setting.openStreams()).toBe(0);
  });

  it('opens nothing before something is watched', async () => {
    const { remote, clock, asked } = await aRemote();
    const states: string[] = [];
    remote.connection.subscribe(({ _tag }) => states.push(_tag));
    await clock.advance(60_000);
    expect([asked.length, states]).toEqual([0, ['idle']]);
  });

  it('goes on after a cut by the id of the last event, later each time, and at once when the page is back', async () => {
    let isDown = false;
    const setting = await aRemote({
      before: () => {
        if (isDown) throw new TypeError('fetch failed');
        return undefined;
      },
    });
    const { remote, clock, asked } = setting;
    const { record } = await submitted(setting);
    const delays: number[] = [];
    remote.connection.subscribe((state: RemoteConnection) => {
      if (state._tag === 'waiting') delays.push(state.delayMs);
    });
    remote.follow(record.id).subscribe();
    await clock.advance(1_000);
    isDown = true;
    setting.cut();
    await clock.advance(7_000);
    expect(delays).toEqual([500, 1000, 2000, 4000]);
    isDown = false;
    setting.wake();
    await clock.advance(0);
    expect(setting.openStreams()).toBe(1);
    expect(asked.at(-1)?.headers.get('last-event-id')).toMatch(/./u);
  });

  it('comes back no sooner than the gateway asked for, also when the page is back', async () => {
    let isBusy = true;
    const setting = await aRemote({
      before: ({ path }) =>
        path === '/events' && isBusy
          ? new Response(null, { status: 429, headers: { 'retry-after': '20' } })
          : undefined,
    });
    const { remote, clock } = setting;
    const { record } = await submitted(setting);
    remote.follow(record.id).subscribe();
    await clock.advance(1_000);
    isBusy = false;
    setting.wake();
    await clock.advance(18_999);
    expect(setting.openStreams()).toBe(0);
    await clock.advance(1);
    expect(setting.openStreams()).toBe(1);
  });

  it('takes a connection for dead that is silent, though a gateway gives signs of life', async () => {
    const silent = new ReadableStream<Uint8Array>();
    const setting = await aRemote({
      before: ({ headers }) => (headers.has('x-silent') ? new Response(silent) : undefined),
    });
    const remote = setting.another({ headers: { 'x-silent': 'yes' } });
    const states: string[] = [];
    remote.connection.subscribe(({ _tag }) => states.push(_tag));
    const watching = remote.follow('a').subscribe();
    await setting.clock.advance(46_000);
    watching.unsubscribe();
    expect(states.slice(0, 4)).toEqual(['idle', 'connecting', 'open', 'waiting']);
    const { record } = await submitted(setting);
    setting.remote.follow(record.id).subscribe();
    await setting.clock.advance(600_000);
    expect(setting.asked.filter(({ headers }) => !headers.has('x-silent'))).toHaveLength(1);
  });

  it('asks the token callback again where the gateway refuses a token, and before it ends', async () => {
    let right = 'one';
    let asked = 0;
    const setting = await aRemote({
      accepts: () => right,
      token: () => {
        asked += 1;
        return { token: right, expiresAt: setting.clock.wall() + 3_600_000 };
      },
    });
    const { remote, clock } = setting;
    const { record } = await submitted(setting);
    await remote.list();
    await remote.list();
    expect(asked).toBe(1);
    right = 'two';
    await remote.list();
    expect(asked).toBe(2);
    await clock.advance(3_580_000);
    await remote.list();
    expect(asked).toBe(3);
    const failed = setting.another({ token: 'wrong' });
    expect(await clock.until(tagOf(lastValueFrom(failed.follow(record.id))))).toBe('Unauthorized');
    expect(await clock.until(tagOf(failed.list()))).toBe('Unauthorized');
  });

  it('tells the end of a job that ended long ago, and that there is none', async () => {
    const setting = await aRemote();
    const { remote, clock, service } = setting;
    const { record } = await submitted(setting);
    for (const state of life('p1')) service.jobs[0]?.move(state);
    await clock.advance(1_000);
    for (let count = 2; count < 60; count += 1) {
      await submitted(setting);
      service.jobs.at(-1)?.move({ ...life(`p${count}`).at(-1)! });
      await clock.advance(10);
    }
    expect(await clock.until(lastValueFrom(remote.follow(record.id)))).toMatchObject({ phase: 'completed' });
    expect(setting.asked.map(({ path }) => path)).toEqual(['/events', `/jobs/${record.id}`]);
    expect(await clock.until(tagOf(lastValueFrom(remote.follow('none'))))).toBe('NotFound');
  });

  it('begins anew where the gateway keeps the events no longer, and says nothing twice', async () => {
    const setting = await aRemote();
    const { remote, clock, service } = setting;
    const { record } = await submitted(setting);
    const seen: JobState[] = [];
    let isOver = false;
    remote
      .follow(record.id)
      .subscribe({ next: (state) => seen.push(state), complete: () => (isOver = true) });
    await clock.advance(1_000);
    setting.forget();
    setting.cut();
    await clock.advance(1_000);
    expect(seen).toHaveLength(1);
    setting.forget();
    setting.cut();
    for (const state of life('p1')) service.jobs[0]?.move(state);
    await clock.advance(1_000);
    expect([seen.at(-1)?.phase, isOver]).toEqual(['completed', true]);
  });

  it('errors with Closed once the remote is closed, in all that is watched and asked for', async () => {
    const setting = await aRemote();
    const { remote, clock } = setting;
    const { record } = await submitted(setting);
    const watched = tagOf(lastValueFrom(remote.follow(record.id)));
    await clock.advance(1_000);
    remote.close();
    expect(await watched).toBe('Closed');
    expect(await tagOf(remote.list())).toBe('Closed');
    expect(await tagOf(lastValueFrom(remote.run({})))).toBe('Closed');
    expect(await lastValueFrom(remote.connection)).toEqual({ _tag: 'closed' });
    expect(setting.openStreams()).toBe(0);
  });
});
