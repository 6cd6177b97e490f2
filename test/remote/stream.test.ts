import { describe, expect, it } from 'vitest';
import { aRemote } from './a-remote.js';
import { deleteJob } from '../../src/page/remote/delete-jobs.js';
import { createRemote } from '../../src/page/remote/create-remote.js';
import { isServiceError } from '../../src/core/errors/service-error.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { lastValueFrom } from 'rxjs';
import { life, submitted } from '../gateway/support.js';
import type { RemoteConnection } from '../../src/page/remote/connection.js';

const tagOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isServiceError(error) ? error._tag : error),
  );

const ndjson = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'application/x-ndjson' } });

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

  it('tells which jobs are deleted while it is open, by whichever page', async () => {
    const setting = await aRemote();
    const { remote, clock } = setting;
    const { record } = await submitted(setting);
    const states: JobState[] = [];
    remote.follow(record.id).subscribe((state) => states.push(state));
    const deleted: string[] = [];
    remote.deleted.subscribe((id) => deleted.push(id));
    setting.service.jobs[0]!.move(life('p1').at(-1)!);
    await clock.advance(1_000);
    expect([states.at(-1)?.phase, deleted]).toEqual(['completed', []]);
    const deleting = deleteJob(setting.another(), record.id);
    await clock.advance(1_000);
    expect([await deleting, deleted]).toEqual(['kept', [record.id]]);
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

  it('says where it stands: idle, connecting, open, waiting, failed, closed', async () => {
    let answer: () => Response | undefined = () => undefined;
    const setting = await aRemote({ before: ({ path }) => (path === '/events' ? answer() : undefined) });
    const { remote, clock } = setting;
    const states: RemoteConnection[] = [];
    remote.connection.subscribe((state) => states.push(state));
    const { record } = await submitted(setting);
    const watching = remote.follow(record.id).subscribe();
    await clock.advance(1_000);
    watching.unsubscribe();
    await clock.advance(6_000);
    expect(states.map(({ _tag }) => _tag)).toEqual(['idle', 'connecting', 'open', 'idle']);
    states.length = 0;
    answer = () => Response.json({ code: 'no', detail: 'Not you.' }, { status: 403 });
    expect(await clock.until(tagOf(lastValueFrom(remote.follow(record.id))))).toBe('Forbidden');
    await clock.advance(6_000);
    const reason = 'The gateway refused the request (403: Not you.).';
    expect(states).toEqual([{ _tag: 'connecting' }, { _tag: 'failed', reason }]);
    states.length = 0;
    // The next one who watches tries again; a stream that ends is none that is over.
    answer = () => ndjson('');
    const again = remote.follow(record.id).subscribe({ error: () => undefined });
    await clock.advance(0);
    expect(states).toEqual([
      { _tag: 'connecting' },
      { _tag: 'open' },
      { _tag: 'waiting', delayMs: 500, reason: 'The stream of events ended.' },
    ]);
    again.unsubscribe();
    remote.close();
    expect(states.at(-1)).toEqual({ _tag: 'closed' });
    await expect(remote.list()).rejects.toMatchObject({
      ...{ _tag: 'Closed', message: 'The remote is closed.', hint: 'Create a new remote.' },
    });
  });

  it('begins its waits anew once an event came, and asks for another token where it was revoked', async () => {
    let lines: readonly string[] = [];
    let asked = 0;
    const setting = await aRemote({
      before: ({ path }) =>
        path === '/events' ? ndjson(lines.map((line) => `${line}\n`).join('')) : undefined,
      token: () => `t${(asked += 1)}`,
      accepts: () => undefined,
    });
    const { remote, clock } = setting;
    const delays: number[] = [];
    remote.connection.subscribe((state) => {
      if (state._tag === 'waiting') delays.push(state.delayMs);
    });
    remote.follow('a').subscribe({ error: () => undefined });
    await clock.advance(3_000);
    expect([delays, asked]).toEqual([[500, 1_000, 2_000], 1]);
    const state = { ...life('a')[1]!, promptId: 'a' };
    lines = [JSON.stringify({ id: '1', event: 'snapshot', data: { jobs: [{ id: 'a', state }] } })];
    await clock.advance(500);
    expect(delays.at(-1)).toBe(500);
    lines = [JSON.stringify({ id: '2', event: 'revoked', data: {} })];
    await clock.advance(500);
    lines = [];
    await clock.advance(500);
    expect(asked).toBe(2);
    remote.close();
  });

  it('refuses an address that is none, and asks the global fetch without another one', async () => {
    expect(() => createRemote({ url: 'http://' })).toThrow(
      expect.objectContaining({
        ...{ _tag: 'InvalidConfig', option: 'url', message: 'The option `url` is no address: http://.' },
      }) as Error,
    );
    const seen: string[] = [];
    const remote = createRemote({
      url: 'http://h/comfy',
      fetch: (url) => {
        seen.push(url as string);
        return Promise.resolve(Response.json({ jobs: [] }));
      },
    });
    expect(await remote.list()).toEqual({ jobs: [] });
    expect(seen).toEqual(['http://h/comfy/jobs?']);
    remote.close();
  });

  it('is made on a server without an address, where a page is rendered, and refuses what is asked of it there', async () => {
    const remote = createRemote();
    const connections: string[] = [];
    remote.connection.subscribe(({ _tag }) => connections.push(_tag));
    const refusal = expect.objectContaining({ _tag: 'InvalidConfig', option: 'url' }) as Error;
    await expect(remote.list()).rejects.toThrow(refusal);
    await expect(lastValueFrom(remote.follow('a'))).rejects.toThrow(refusal);
    expect(connections).toEqual(['idle', 'connecting', 'failed']);
    remote.close();
  });

  it('asks for the end of a job again where that may help', async () => {
    let posts = 0;
    const { remote, clock, asked } = await aRemote({
      before: ({ method }) => {
        if (method !== 'POST') return undefined;
        posts += 1;
        if (posts === 1) return new Response(null, { status: 500 });
        return Response.json({ requested: posts === 2 });
      },
    });
    expect(await clock.until(remote.cancel('a/b'))).toBe(true);
    expect(await clock.until(remote.cancel('c'))).toBe(false);
    expect(asked.map(({ path }) => path)).toEqual([
      '/jobs/a%2Fb/cancel',
      '/jobs/a%2Fb/cancel',
      '/jobs/c/cancel',
    ]);
  });

  it('M10: says of a job that is over that there was nothing to end', async () => {
    const setting = await aRemote();
    const { remote, clock, service } = setting;
    const { record } = await submitted(setting);
    expect(await clock.until(remote.cancel(record.id))).toBe(true);
    for (const state of life('p1')) service.jobs[0]?.move(state);
    await clock.advance(1_000);
    expect(await clock.until(remote.cancel(record.id))).toBe(false);
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
