import { describe, expect, it } from 'vitest';
import { encodePreview, encodePreviewWithMetadata } from '../helpers/encode-frame.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import {
  type FrameSource,
  frameSource,
  type FrameSourceOptions,
} from '../../src/core/socket/frame-source.js';
import { messages } from '../helpers/job-harness.js';
import { Observable } from 'rxjs';

const picture = new Uint8Array([0xff, 0xd8, 0xff]);
const start = (id: string) => ({ type: 'execution_start', data: { prompt_id: id, timestamp: 1 } });

const made = (options: Partial<FrameSourceOptions> = {}) => {
  const platform = fakePlatform();
  const url = (id: string) => `ws://127.0.0.1/ws?clientId=${id}`;
  const source = frameSource(platform, { url, lingerMs: 5_000, ...options });
  return { platform, source, socket: () => platform.sockets.at(-1)! };
};
/** What a job hears: its frames, for as long as it keeps the connection wanted. */
const ofPrompt = (source: FrameSource, promptId: string): Observable<Frame> =>
  new Observable((subscriber) => {
    const listener = { promptId, next: (frame: Frame) => subscriber.next(frame) };
    source.listen(listener);
    subscriber.add(() => source.unlisten(listener));
    subscriber.add(source.connected.subscribe(subscriber));
  });
const collect = (frames: { subscribe: (observer: object) => { unsubscribe: () => void } }) => {
  const seen: Frame[] = [];
  let error: unknown;
  let completed = false;
  const subscription = frames.subscribe({
    next: (frame: Frame) => seen.push(frame),
    complete: () => (completed = true),
    error: (problem: unknown) => (error = problem),
  });
  return { seen, error: () => error, completed: () => completed, stop: () => subscription.unsubscribe() };
};

describe('frameSource', () => {
  it.each(['execution_start', 'status'])(
    'C19: gives a local job its own texts and pictures after a foreign job without an end, by %s',
    (sign) => {
      const { source, socket } = made({ oneJobAtOnce: true });
      const { seen } = collect(ofPrompt(source, 'own'));
      const expected = source.expect();
      socket().open();
      const foreign = { type: 'progress', data: { prompt_id: 'foreign', node: '3', value: 1, max: 2 } };
      socket().receive(foreign);
      if (sign === 'status')
        socket().receive({ type: 'status', data: { status: { exec_info: { queue_remaining: 0 } } } });
      else socket().receive(start('own'));
      socket().receive({ type: 'progress', data: { prompt_id: 'own', node: '3', value: 1, max: 2 } });
      socket().receive(new Uint8Array([0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8, 0xff, 0xe0]).buffer);
      expect(seen.at(-1)?._tag).toBe('Preview');
      expect(expected.claim('own').at(-1)?._tag).toBe('Preview');
    },
  );

  it('opens one socket for all subscribers, with the first, and says its features first', () => {
    const { platform, source, socket } = made();
    expect(platform.sockets).toHaveLength(0);
    collect(source.frames);
    collect(source.frames);
    collect(ofPrompt(source, 'a'));
    socket().open();
    expect(platform.sockets).toHaveLength(1);
    expect(socket().sent.map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        type: 'feature_flags',
        data: { supports_preview_metadata: true, supports_progress_text_metadata: true },
      },
    ]);
  });

  it('multicasts one and the same decoded value', () => {
    const { source, socket } = made();
    const [first, second, job] = [
      collect(source.frames),
      collect(source.frames),
      collect(ofPrompt(source, 'a')),
    ];
    socket().open();
    socket().receive(start('a'));
    expect(first.seen).toHaveLength(1);
    expect(second.seen[0]).toBe(first.seen[0]);
    expect(job.seen[0]).toBe(first.seen[0]);
  });

  it('I-5: lingers for 5 s after the last subscriber, and a newcomer finds the same socket', async () => {
    const { platform, source, socket } = made();
    const first = collect(source.frames);
    socket().open();
    first.stop();
    await platform.clock.advance(4_999);
    expect(socket().closedBy()).toBeUndefined();
    const second = collect(source.frames);
    second.stop();
    expect(platform.sockets).toHaveLength(1);
    await platform.clock.advance(5_000);
    expect(socket().closedBy()).toBe('client');
    expect(platform.clock.pending()).toBe(0);
  });

  it('I-5: keeps one socket for a thousand who come and go', async () => {
    const { platform, source, socket } = made();
    for (let visit = 0; visit < 1_000; visit += 1) {
      collect(source.frames).stop();
      if (visit === 0) socket().open();
      await platform.clock.advance(visit % 10);
    }
    expect(platform.sockets).toHaveLength(1);
    await platform.clock.advance(5_000);
    expect(platform.clock.pending()).toBe(0);
  });

  it('D5: keeps a bad frame a value and goes on', () => {
    const { source, socket } = made();
    const { seen, error } = collect(source.frames);
    socket().open();
    socket().receive('{"type": ');
    socket().receive(new ArrayBuffer(2));
    socket().receive(start('a'));
    expect(seen.map(({ _tag }) => _tag)).toEqual(['Malformed', 'Malformed', 'Event']);
    expect(error()).toBeUndefined();
  });

  it('survives a reconnect without telling its subscribers', async () => {
    const { platform, source, socket } = made();
    const { seen } = collect(source.frames);
    socket().open();
    socket().receive(start('a'));
    socket().end();
    await platform.clock.advance(2_000);
    expect(platform.sockets).toHaveLength(2);
    socket().open();
    expect(socket().sent).toHaveLength(1);
    socket().receive(start('b'));
    expect(seen.map(({ promptId }) => promptId)).toEqual(['a', 'b']);
  });

  it('C7, C8: delivers to a job its own frames only', () => {
    const { source, socket } = made();
    const { seen } = collect(ofPrompt(source, 'a'));
    socket().open();
    socket().receive(start('b'));
    socket().receive(start('a'));
    socket().receive({ type: 'progress', data: { prompt_id: 'b', node: '1', value: 1, max: 2 } });
    socket().receive({ type: 'progress', data: { prompt_id: 'a', node: '1', value: 1, max: 2 } });
    expect(seen.map((frame) => frame._tag === 'Event' && frame.type)).toEqual([
      'execution_start',
      'progress',
    ]);
  });

  it.each([
    ['progress', { type: 'progress', data: { prompt_id: 'foreign', node: '1', value: 1, max: 2 } }],
    ['previews', encodePreviewWithMetadata({ prompt_id: 'foreign' }, picture).buffer],
  ])('C9, C11: decodes no %s of foreign jobs, yet counts them and knows that the jobs run', (_, message) => {
    const decoded: (string | undefined)[] = [];
    const { source, socket } = made({ redactValue: (value, raw) => (decoded.push(raw), value) });
    const { seen } = collect(ofPrompt(source, 'own'));
    socket().open();
    socket().receive(start('own'));
    socket().receive(message);
    socket().receive(encodePreview(1, picture).buffer);
    expect(seen).toHaveLength(1);
    expect(decoded).toEqual([JSON.stringify(start('own'))]);
    expect(source.framesOfJobs).toBe(3);
  });

  it('C11: reads an event that names no job only for who takes every frame', () => {
    const read: (string | undefined)[] = [];
    const { source, socket } = made({ redactValue: (value, raw) => (read.push(raw), value) });
    collect(ofPrompt(source, 'a'));
    socket().open();
    const notify = (value: string) => socket().receive({ type: 'notification', data: { value } });
    const expected = source.expect();
    notify('to nobody');
    expected.claim('a');
    const all = collect(source.frames);
    notify('to all');
    expect(read).toEqual(['{"type":"notification","data":{"value":"to all"}}']);
    expect(all.seen).toMatchObject([{ type: 'notification', data: { value: 'to all' } }]);
  });

  it('reads what the server announces, also without a subscriber of all frames', () => {
    const { source, socket } = made();
    const { seen } = collect(ofPrompt(source, 'p'));
    socket().open();
    socket().receive({ type: 'feature_flags', data: { supports_progress_text_metadata: true } });
    socket().receive(new Uint8Array([0, 0, 0, 3, 0, 0, 0, 1, 0x70, 0, 0, 0, 1, 0x37, 0x68, 0x69]).buffer);
    expect(seen).toMatchObject([{ _tag: 'Text', promptId: 'p', nodeId: '7', text: 'hi' }]);
  });

  it('reads the text layout that the server announced', () => {
    const { source, socket } = made();
    const { seen } = collect(source.frames);
    socket().open();
    socket().receive({ type: 'feature_flags', data: { supports_progress_text_metadata: true } });
    const layout = [0, 0, 0, 3, 0, 0, 0, 1, 0x70, 0, 0, 0, 1, 0x37, 0x68, 0x69];
    socket().receive(new Uint8Array(layout).buffer);
    expect(seen.at(-1)).toMatchObject({ _tag: 'Text', promptId: 'p', nodeId: '7', text: 'hi' });
  });

  it('D3: forgets with a socket what was announced on it', async () => {
    const { platform, source, socket } = made();
    const { seen } = collect(source.frames);
    socket().open();
    socket().receive({ type: 'feature_flags', data: { supports_progress_text_metadata: true } });
    socket().end();
    await platform.clock.advance(1_000);
    expect(platform.sockets).toHaveLength(2);
    socket().open();
    // An older server behind the same name: a node id of one character, then the text.
    socket().receive(new Uint8Array([0, 0, 0, 3, 0, 0, 0, 1, 0x37, 0x68, 0x69]).buffer);
    expect(seen.at(-1)).toEqual({ _tag: 'Text', nodeId: '7', text: 'hi' });
  });

  it('D5: hides secrets in what is shown of a bad frame, on each socket', async () => {
    const { platform, source, socket } = made({ redact: (text) => text.replaceAll('hush', '…') });
    const { seen } = collect(source.frames);
    for (let opened = 0; opened < 2; opened += 1) {
      socket().open();
      socket().receive('{ hush');
      socket().receive({ type: 'feature_flags', data: {} });
      socket().receive('{ hush');
      socket().end();
      await platform.clock.advance(2_000);
    }
    expect(seen.filter(({ _tag }) => _tag === 'Malformed')).toMatchObject(
      Array.from({ length: 4 }, () => ({ sample: '{ …' })),
    );
  });

  it('says that a socket gave it an id, by its first message alone', async () => {
    let greetings = 0;
    const { platform, source, socket } = made({ onHello: () => (greetings += 1) });
    const status = (data: object) => socket().receive({ type: 'status', data: { status: {}, ...data } });
    collect(source.frames);
    socket().open();
    status({ sid: 'a' });
    status({ sid: 'a' });
    expect(greetings).toBe(1);
    for (const first of [() => status({}), () => socket().receive(new ArrayBuffer(8))]) {
      socket().end();
      await platform.clock.advance(2_000);
      socket().open();
      first();
      status({ sid: 'b' });
      expect(greetings).toBe(1);
    }
    socket().end();
    await platform.clock.advance(2_000);
    socket().open();
    status({ sid: 'c' });
    expect(greetings).toBe(2);
  });

  it('gives a picture without a name to the one job that this socket has shown to run', async () => {
    const { platform, source, socket } = made();
    const [a, b] = [collect(ofPrompt(source, 'a')), collect(ofPrompt(source, 'b'))];
    const pictures = ({ seen }: { readonly seen: readonly Frame[] }): number =>
      seen.filter(({ _tag }) => _tag === 'Preview').length;
    const show = (): void => socket().receive(encodePreview(1, picture).slice().buffer);
    socket().open();
    socket().receive(start('a'));
    show();
    expect([pictures(a), pictures(b)]).toEqual([1, 0]);
    socket().receive(start('b'));
    show();
    expect([pictures(a), pictures(b)]).toEqual([1, 0]);
    socket().end();
    await platform.clock.advance(2_000);
    socket().open();
    show();
    socket().receive(start('b'));
    show();
    expect([pictures(a), pictures(b)]).toEqual([1, 1]);
  });

  it('I-5: holds the program open while it has subscribers, and not while it lingers', async () => {
    const { platform, source, socket } = made();
    const first = collect(source.frames);
    expect(socket().keepsAlive()).toBeUndefined();
    socket().open();
    expect(socket().keepsAlive()).toBe(true);
    first.stop();
    expect(socket().keepsAlive()).toBe(false);
    const second = collect(source.frames);
    expect(socket().keepsAlive()).toBe(true);
    second.stop();
    socket().end();
    await platform.clock.advance(2_000);
    socket().open();
    expect(socket().keepsAlive()).toBe(false);
    await platform.clock.advance(5_000);
    collect(source.frames);
    socket().open();
    expect(socket().keepsAlive()).toBe(true);
  });

  it('I-5: holds no program open by the wait for the end of its lingering', () => {
    const platform = fakePlatform();
    const options: unknown[] = [];
    const after: typeof platform.clock.after = (ms, work, how) => {
      options.push([ms, how]);
      return platform.clock.after(ms, work);
    };
    const source = frameSource(
      { ...platform, clock: { ...platform.clock, after } },
      { url: (id) => `ws://127.0.0.1/ws?clientId=${id}`, lingerMs: 1_234 },
    );
    collect(source.frames).stop();
    expect(options).toContainEqual([1_234, { background: true }]);
  });

  it('names the id of its socket, and says once that it is closed', () => {
    const { source, socket } = made();
    const states: string[] = [];
    source.states.subscribe(({ _tag }) => states.push(_tag));
    collect(source.frames);
    expect(new URL(socket().url).searchParams.get('clientId')).toBe(source.clientId);
    source.close();
    source.close();
    expect(states).toEqual(['idle', 'connecting', 'closed']);
  });

  it('gives the submission that claims a frame the same one as its other subscribers', () => {
    const { source, socket } = made();
    const { seen } = collect(source.frames);
    socket().open();
    const expected = source.expect();
    socket().receive(start('mine'));
    expect(expected.claim('mine')[0]).toBe(seen[0]);
  });

  it('C1: keeps frames of a job that is not named yet, and gives them to the submission that claims it', () => {
    const { source, socket } = made();
    collect(source.connected);
    socket().open();
    socket().receive(start('before'));
    const expected = source.expect();
    socket().receive(start('mine'));
    socket().receive(start('stranger'));
    expect(expected.claim('mine').map(({ promptId }) => promptId)).toEqual(['mine']);
    expect(expected.foreignJobs()).toEqual(['mine', 'stranger']);
    expected.end();
    expect(expected.claim('mine')).toEqual([]);
  });

  it('E1: names foreign jobs for as long as the submission takes, and none that began before it', async () => {
    const { platform, source, socket } = made();
    collect(ofPrompt(source, 'watched'));
    socket().open();
    const earlier = source.expect();
    socket().receive(messages('early').start);
    const expected = source.expect();
    socket().receive(messages('mine').start);
    socket().receive(messages('watched').start);
    socket().receive(messages('running').executing('3'));
    socket().receive({ type: 'execution_start', data: {} });
    await platform.clock.advance(60_000);
    expect(expected.foreignJobs()).toEqual(['mine']);
    expect(earlier.foreignJobs()).toEqual(['early', 'mine']);
    expect(expected.claim('mine')).toMatchObject([{ type: 'execution_start' }]);
    expected.end();
    socket().receive(messages('late').start);
    expect(expected.foreignJobs()).toEqual(['mine']);
  });

  it('errors for its own subscribers when the key is refused, while jobs are only left without frames', async () => {
    const { platform, source, socket } = made({ refusal: () => Promise.resolve(401) });
    const [all, job] = [collect(source.frames), collect(ofPrompt(source, 'a'))];
    socket().end({ status: 401 });
    await platform.clock.advance(0);
    expect(all.error()).toMatchObject({ _tag: 'Unauthorized' });
    expect(job.error()).toBeUndefined();
    expect(source.states.value).toMatchObject({ _tag: 'failed', cause: 'auth' });
  });

  it('does not linger where there is no connection to linger on', () => {
    const { platform, source, socket } = made();
    collect(source.frames);
    socket().end({ status: 402 });
    expect(platform.clock.pending()).toBe(0);
  });

  it.each([401, 402])('connects again on resume after %i if a job still wants it', (status) => {
    const { platform, source, socket } = made();
    const job = collect(ofPrompt(source, 'a'));
    socket().end({ status });
    source.resume();
    expect(platform.sockets).toHaveLength(2);
    socket().open();
    socket().receive(start('a'));
    expect(job.seen).toHaveLength(1);
  });

  it('I-13: ends everything at once on close: sockets, timers, streams, also those that begin later', async () => {
    const { platform, source, socket } = made();
    const [all, job] = [collect(source.frames), collect(ofPrompt(source, 'a'))];
    socket().open();
    source.close();
    const late = collect(source.frames);
    for (const { completed, error } of [all, late]) expect([completed(), error()]).toEqual([true, undefined]);
    expect(job.error()).toMatchObject({ _tag: 'Closed' });
    expect([socket().closedBy(), socket().isCutOff()]).toEqual(['client', true]);
    expect(platform.clock.pending()).toBe(0);
    expect(source.states.value).toEqual({ _tag: 'closed' });
    await platform.clock.advance(60_000);
    expect(platform.sockets).toHaveLength(1);
  });

  it.each([401, 402])('I-13: ends at once for a job that still wants the connection after %i', (status) => {
    const { platform, source, socket } = made();
    const job = collect(ofPrompt(source, 'a'));
    socket().end({ status });
    source.close();
    expect(job.error()).toMatchObject({ _tag: 'Closed' });
    expect(platform.clock.pending()).toBe(0);
    expect(platform.sockets).toHaveLength(1);
  });

  it('leaves no timer when it is closed while it lingers', () => {
    const { platform, source, socket } = made();
    collect(source.frames).stop();
    socket().open();
    source.close();
    expect(platform.clock.pending()).toBe(0);
    expect(socket().closedBy()).toBe('client');
  });

  it('B2: replaces the socket that is open on request, and counts what it has brought', async () => {
    const { platform, source, socket } = made();
    collect(source.connected);
    expect(source.openedAt).toBe(Infinity);
    source.reconnect();
    expect(socket().closedBy()).toBeUndefined();
    await platform.clock.advance(100);
    socket().open();
    expect(source.openedAt).toBe(100);
    socket().receive({ type: 'status', data: { status: { exec_info: { queue_remaining: 0 } } } });
    expect(source.framesOfJobs).toBe(0);
    socket().receive(start('a'));
    socket().receive({ type: 'progress', data: { prompt_id: 'foreign', node: '1', value: 1, max: 2 } });
    expect(source.framesOfJobs).toBe(2);
    source.reconnect();
    expect(socket().closedBy()).toBe('client at once');
    await platform.clock.advance(2_000);
    expect(platform.sockets).toHaveLength(2);
  });
});
