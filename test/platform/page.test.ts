import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageWorld } from '../../src/core/platform/page.js';

const url = 'https://gateway.example/jobs';
const answering = (text: string) => vi.fn<typeof fetch>(() => Promise.resolve(new Response(text)));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('pageWorld, send', () => {
  it('takes the fetch that is given, also for an upload, and that of the runtime without one', async () => {
    const own = answering('own');
    const global = answering('global');
    vi.stubGlobal('fetch', global);
    vi.stubGlobal('XMLHttpRequest', vi.fn());
    const init = { method: 'POST' };
    expect(await (await pageWorld(own).send(url, init, () => undefined)).text()).toBe('own');
    expect(await (await pageWorld(undefined).send(url, init)).text()).toBe('global');
    expect(own.mock.calls).toEqual([[url, init]]);
    expect(global.mock.calls).toEqual([[url, init]]);
  });

  it('takes fetch for an upload where the runtime has no XMLHttpRequest', async () => {
    vi.stubGlobal('fetch', answering('global'));
    const response = await pageWorld(undefined).send(url, {}, () => undefined);
    expect(await response.text()).toBe('global');
  });

  it('takes XMLHttpRequest, which tells what has left, for an upload', async () => {
    const opened: string[] = [];
    vi.stubGlobal('fetch', answering('global'));
    vi.stubGlobal(
      'XMLHttpRequest',
      class {
        readonly upload = {};
        onerror?: () => void;
        open = (method: string): unknown => opened.push(method);
        send = (): void => this.onerror?.();
      },
    );
    const sent = pageWorld(undefined).send(url, { method: 'PUT' }, () => undefined);
    await expect(sent).rejects.toBeInstanceOf(TypeError);
    expect(opened).toEqual(['PUT']);
  });
});

describe('pageWorld, events of the page', () => {
  const page = (): EventTarget => {
    const window = new EventTarget();
    vi.stubGlobal('window', window);
    return window;
  };

  it('says that the network or the page may be back, until it is stopped', () => {
    const window = page();
    let wakes = 0;
    const stop = pageWorld(undefined).onWake(() => (wakes += 1));
    for (const name of ['online', 'visibilitychange', 'offline']) window.dispatchEvent(new Event(name));
    expect(wakes).toBe(2);
    stop();
    for (const name of ['online', 'visibilitychange']) window.dispatchEvent(new Event(name));
    expect(wakes).toBe(2);
  });

  it('says that the page is put aside or back, until it is stopped', () => {
    const window = page();
    const names = ['freeze', 'resume', 'pagehide', 'pageshow'];
    const asleep: boolean[] = [];
    const stop = pageWorld(undefined).onSleep((isAsleep) => asleep.push(isAsleep));
    for (const name of names) window.dispatchEvent(new Event(name));
    expect(asleep).toEqual([true, false, true, false]);
    stop();
    for (const name of names) window.dispatchEvent(new Event(name));
    expect(asleep).toHaveLength(4);
  });

  it('listens to nothing where there is no page', () => {
    const world = pageWorld(undefined);
    expect(() => world.onWake(() => undefined)()).not.toThrow();
    expect(() => world.onSleep(() => undefined)()).not.toThrow();
  });
});

describe('pageWorld, tabs', () => {
  it.each([
    ['no navigator', undefined, vi.fn()],
    ['no locks, as a page without https', {}, vi.fn()],
    ['no channels', { locks: {} }, undefined],
  ])('has none in a runtime with %s', async (_, navigator, channel) => {
    vi.stubGlobal('navigator', navigator);
    vi.stubGlobal('BroadcastChannel', channel);
    expect(await pageWorld(undefined).tabs()).toBeUndefined();
  });

  it('keeps a lock until its signal aborts, and takes an aborted wait for no failure', async () => {
    const granted: Promise<unknown>[] = [];
    const request = vi.fn((name: string, _: object, callback: () => Promise<unknown>) => {
      if (name === 'taken') return Promise.reject(new Error('aborted'));
      granted.push(callback());
      return Promise.resolve();
    });
    vi.stubGlobal('navigator', { locks: { request } });
    const tabs = await pageWorld(undefined).tabs();
    const leaving = new AbortController();
    let held = 0;
    tabs?.lock('mine', leaving.signal, () => (held += 1));
    tabs?.lock('taken', leaving.signal, () => (held += 1));
    expect(request.mock.calls.map(([name, options]) => [name, options])).toEqual([
      ['mine', { signal: leaving.signal }],
      ['taken', { signal: leaving.signal }],
    ]);
    expect(held).toBe(1);
    const [until] = granted;
    expect(await Promise.race([until, Promise.resolve('held')])).toBe('held');
    leaving.abort();
    expect(await until).toBeUndefined();
  });

  it('opens a channel to the other tabs of the origin', async () => {
    vi.stubGlobal('navigator', { locks: {} });
    const tabs = await pageWorld(undefined).tabs();
    const received = new Promise((resolve) => {
      const one = tabs?.channel('promptwire test', (message) => {
        one?.close();
        resolve(message);
      });
    });
    const other = tabs?.channel('promptwire test', () => undefined);
    other?.post({ a: 1 });
    expect(await received).toEqual({ a: 1 });
    other?.close();
  });
});
