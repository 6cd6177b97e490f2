import { expect, it } from 'vitest';
import { serverControls, serversOf } from '../../../src/server/queue/jobs/queue-servers.js';
import { Subject } from 'rxjs';
import { virtualClock } from '../../../src/testing.js';

/** A queue over servers whose store has `state.servers`; what is sent to it is noted. */
const world = (kind: 'account' | 'servers' = 'servers') => {
  const clock = virtualClock();
  const calls: string[] = [];
  const state = { servers: ['cellar', 'attic'], uses: [] as string[], isAway: false, looks: 0 };
  const reply = () => {
    state.looks += 1;
    if (state.isAway) throw new Error('away');
    const uses = state.uses.flatMap((id) => [id, JSON.stringify({ at: 0, ms: 0 })]);
    return [1, [], state.servers.map((name) => [name, '', '', '', uses, '', '0', '0', '0', '0', 0])];
  };
  const redis = {
    defineCommand: () => undefined,
    options: {},
    // eslint-disable-next-line @typescript-eslint/require-await -- rejects where it throws.
    evalsha: async () => reply(),
    call: (...args: readonly string[]) => Promise.resolve(void calls.push(args.join(' '))),
  };
  const notifications = {
    changed: new Subject<string>(),
    resumed: new Subject<void>(),
    missed: new Subject<void>(),
  };
  const mended = <A>(calls: A): A => calls;
  const queue = { kind, redis, clock, notifications, mended } as never;
  const seen: string[] = [];
  const follow = () =>
    serversOf(queue, 'q').subscribe(
      (all) => void seen.push(all.map(({ name, running }) => `${name} ${running}`).join()),
    );
  return {
    controls: serverControls(() => Promise.resolve(queue), 'q'),
    queue,
    state,
    clock,
    calls,
    notifications,
    seen,
    follow,
  };
};

it('shows the servers by name, now and after each change, once for many news', async () => {
  const { clock, state, seen, follow, notifications } = world();
  const following = follow();
  await clock.advance(0);
  expect(seen.splice(0)).toEqual(['attic 0,cellar 0']);
  state.servers = ['attic'];
  for (const news of [
    notifications.changed,
    notifications.resumed,
    notifications.missed,
  ] as Subject<unknown>[])
    news.next('x');
  await clock.advance(199);
  expect([seen, state.looks]).toEqual([[], 1]);
  await clock.advance(1);
  expect([seen.splice(0), state.looks]).toEqual([['attic 0'], 2]);
  // It looks again without news as well, and says nothing where nothing has changed.
  await clock.advance(1_000);
  expect([seen, state.looks]).toEqual([[], 3]);
  following.unsubscribe();
  expect(Object.values(notifications).some(({ observed }) => observed)).toBe(false);
});

it('goes on where a look fails', async () => {
  const { clock, state, seen, follow } = world();
  state.isAway = true;
  const following = follow();
  await clock.advance(0);
  expect(seen).toEqual([]);
  state.isAway = false;
  await clock.advance(1_000);
  expect(seen).toEqual(['attic 0,cellar 0']);
  following.unsubscribe();
});

it('pauses and resumes a server, and tells workers', async () => {
  const { controls, calls } = world();
  await controls.pauseServer('attic', 'it is cleaned');
  expect(calls.splice(0)).toEqual([
    'HSET {promptwire:q}:modes attic {"mode":"paused","reason":"it is cleaned"}',
    'PUBLISH {promptwire:q}:changed ',
  ]);
  await controls.resumeServer('attic');
  expect(calls).toEqual(['HDEL {promptwire:q}:modes attic', 'PUBLISH {promptwire:q}:resumed ']);
});

it('drains a server: resolves once none of its jobs runs', async () => {
  const { controls, calls, state, clock } = world();
  state.uses = ['x'];
  let isOver = false;
  const draining = controls.drainServer('attic').then(() => (isOver = true));
  await clock.advance(400);
  expect([calls[0], isOver]).toEqual(['HSET {promptwire:q}:modes attic {"mode":"draining"}', false]);
  state.uses = [];
  await clock.advance(199);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await draining;
});

it.each([
  ['Its servers are attic, cellar.', ['cellar', 'attic']],
  ['No worker has brought one yet.', []],
])('names the servers that there are for one that is none: %s', async (hint, servers) => {
  const { controls, calls, state } = world();
  state.servers = servers;
  for (const control of [controls.pauseServer, controls.resumeServer, controls.drainServer])
    await expect(control('shed')).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'server', hint });
  expect(calls).toEqual([]);
});

it('has none over an account', async () => {
  const { controls, queue } = world('account');
  await expect(controls.pauseServer('attic')).rejects.toMatchObject({ _tag: 'NotSupported' });
  await expect(
    new Promise((_, reject) => void serversOf(queue, 'q').subscribe({ error: reject })),
  ).rejects.toMatchObject({ _tag: 'NotSupported' });
});
