import { BehaviorSubject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { reachedServers, rerunsLost } from '../../../../src/server/queue/worker/servers/reached-servers.js';
import { serviceError } from '../../../../src/core/errors/service-error.js';
import type { ServerRules } from '../../../../src/server/queue/policy/rules.js';
import { virtualClock } from '../../../../src/testing.js';
import type { WorkerPoolServer } from '../../../../src/server/queue/options.js';
import type { Workflow } from 'promptwire';

const server = (name: string, more: Partial<WorkerPoolServer> = {}): WorkerPoolServer => ({
  ...{ name, baseUrl: `http://${name}:8188`, tags: ['t'], health: 'up', since: 4, mode: 'active', slots: 2 },
  ...more,
});

const asked = { shape: 's', models: [], needs: 'n', guessMs: 1, guessLoadMs: 0, tags: [] };
const draws = (count = 1): Workflow =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${at}`, { class_type: `Draw${at}`, inputs: {} }]),
  );

/** A worker that brings these servers, which have the classes of `has`; each question to one is noted. */
const world = (first: readonly WorkerPoolServer[], rules: ServerRules = {}) => {
  const clock = virtualClock();
  const servers = new BehaviorSubject(first);
  const state = { calls: [] as string[], has: ['Draw0'], isAway: false };
  const clientOf = (name: string) => ({
    name,
    submissionIds: 'jobs',
    rest: {
      nodeReplacements: () => () => Promise.resolve(E.left(serviceError('NotFound', {}))),
      objectInfo:
        ({ nodeClass }: { readonly nodeClass: string }) =>
        () => {
          state.calls.push(`${name} ${nodeClass}`);
          if (state.isAway)
            return Promise.resolve(
              E.left(serviceError('Timeout', { message: 'Late.', timeoutMs: 1, sent: true })),
            );
          const definition = { input: {}, output: [], name: nodeClass };
          return Promise.resolve(E.right(state.has.includes(nodeClass) ? { [nodeClass]: definition } : {}));
        },
    },
  });
  const reached = reachedServers({
    pool: { servers, client: clientOf as never },
    clock,
    rules,
    speedOf: (name) => name.length,
  });
  onTestFinished(() => reached.close());
  const changes: unknown[] = [];
  const listening = reached.changes.subscribe((one) => void changes.push(one));
  onTestFinished(() => listening.unsubscribe());
  const can = (name: string) => reached.report()[name]?.can;
  const learn = async (name: string, workflow: Workflow | undefined = draws(), of = asked) => {
    reached.learn(name, of, () => Promise.resolve(workflow));
    await clock.advance(0);
  };
  return { reached, servers, changes, clock, state, can, learn };
};

describe('what a worker reports of its servers', () => {
  it('is what its pool tells of them, under their names in the queue', () => {
    const { reached } = world([
      server('attic', { memory: { total: 8, free: 4 }, reason: 'It was slow.' }),
      server('cellar'),
    ]);
    const common = {
      tags: ['t'],
      health: 'up',
      since: 4,
      slots: 2,
      isUp: true,
      takes: true,
      rerunsLost: true,
      can: {},
      failing: [],
    };
    expect(reached.report()).toStrictEqual({
      attic: {
        ...common,
        baseUrl: 'http://attic:8188',
        memory: { total: 8, free: 4 },
        reason: 'It was slow.',
        speed: 5,
      },
      cellar: { ...common, baseUrl: 'http://cellar:8188', speed: 6 },
    });
    expect(reached.clients()).toMatchObject([{ name: 'attic' }, { name: 'cellar' }]);
    expect(reached.client('attic')).toMatchObject({ name: 'attic' });
    expect(reached.client('other')).toBeUndefined();
  });

  it.each([
    ['up', 'active', true, true],
    ['up', 'paused', true, false],
    ['trusted later', 'active', true, false],
    ['refusing', 'active', true, false],
    ['down', 'active', false, false],
  ] as const)(
    'says of one that is %s and %s whether it is up, %s, and takes jobs, %s',
    (health, mode, isUp, takes) => {
      expect(world([server('attic', { health, mode })]).reached.report()['attic']).toMatchObject({
        isUp,
        takes,
      });
    },
  );

  it('takes no jobs for a server that is busy, until its time is over', async () => {
    const { reached, clock } = world([server('attic'), server('cellar')]);
    const takes = () => Object.values(reached.report()).map((one) => one.takes);
    reached.busy('attic', 500);
    expect(takes()).toEqual([false, true]);
    await clock.advance(499);
    expect(takes()).toEqual([false, true]);
    await clock.advance(1);
    expect(takes()).toEqual([true, true]);
  });

  it('names the shapes of work that failed there, for half a minute, and longer each time until one completes', async () => {
    const { reached, clock } = world([server('attic'), server('cellar')]);
    const failing = () => Object.values(reached.report()).map((one) => one.failing);
    reached.ended('attic', 'a', 'failed');
    reached.ended('attic', 'b', 'failed');
    reached.ended('attic', 'b', 'completed');
    expect(failing()).toEqual([['a'], []]);
    await clock.advance(29_999);
    expect(failing()).toEqual([['a'], []]);
    await clock.advance(1);
    expect(failing()).toEqual([[], []]);
    reached.ended('attic', 'a', 'failed');
    await clock.advance(59_999);
    expect(failing()).toEqual([['a'], []]);
    await clock.advance(1);
    expect(failing()).toEqual([[], []]);
  });

  it('changes with a server’s health, mode and slots, and with nothing else', () => {
    const { servers, changes, reached } = world([server('attic')]);
    expect(changes).toHaveLength(1);
    servers.next([server('attic', { since: 9 })]);
    expect(changes).toHaveLength(1);
    for (const more of [{ slots: 3 }, { slots: 3, mode: 'draining' }, { slots: 3, health: 'down' }] as const)
      servers.next([server('attic', more)]);
    expect(changes).toHaveLength(4);
    reached.close();
    servers.next([]);
    expect(changes).toHaveLength(4);
  });
});

describe('whether a server can run some work', () => {
  it('is found out once, and told', async () => {
    const { can, learn, changes, state } = world([server('attic')]);
    await learn('attic');
    expect(can('attic')).toEqual({ n: '' });
    expect(changes).toHaveLength(2);
    await learn('attic');
    expect(state.calls).toEqual(['attic Draw0']);
  });

  it('is asked for once at a time, and not of a server that another worker brings', async () => {
    const { reached, clock, state } = world([server('attic')]);
    let reads = 0;
    const read = () => {
      reads += 1;
      return Promise.resolve(draws());
    };
    for (const name of ['attic', 'attic', 'other']) reached.learn(name, asked, read);
    await clock.advance(0);
    expect([reads, state.calls]).toEqual([1, ['attic Draw0']]);
  });

  it('stays unknown where the workflow is gone, or the server gives no answer, until it is asked again', async () => {
    const { can, learn, changes, state, reached, clock } = world([server('attic')]);
    reached.learn('attic', asked, () => Promise.resolve(undefined));
    reached.learn('attic', { ...asked, needs: 'm' }, () => Promise.reject(new Error('away')));
    await clock.advance(0);
    state.isAway = true;
    await learn('attic');
    expect([can('attic'), changes.length]).toEqual([{}, 1]);
    state.isAway = false;
    await learn('attic');
    expect([can('attic'), changes.length]).toEqual([{ n: '' }, 2]);
  });

  it('names what it lacks, shortly, and counts for a minute', async () => {
    const { can, learn, clock, state } = world([server('attic')]);
    await learn('attic', draws(5));
    const lacks = (at: number) => `Node ${at}: the server has no class Draw${at}.`;
    expect(can('attic')).toEqual({ n: [1, 2, 3].map(lacks).join(' ') });
    await clock.advance(59_999);
    expect(can('attic')).not.toEqual({});
    await clock.advance(1);
    expect(can('attic')).toEqual({});
    state.has = ['Draw0', 'Draw1', 'Draw2', 'Draw3', 'Draw4'];
    await learn('attic', draws(5));
    expect(can('attic')).toEqual({ n: '' });
    await clock.advance(10 * 60_000);
    expect(can('attic')).toEqual({ n: '' });
  });

  it('cuts what it lacks at 500 characters', async () => {
    const { can, learn } = world([server('attic')]);
    await learn('attic', { 1: { class_type: 'x '.repeat(900), inputs: {} } });
    expect(can('attic')?.['n']).toMatch(/^.{498,499}…$/u);
  });

  it('is told of no server that is down, and found out anew once it is back', async () => {
    const { can, learn, servers, state } = world([server('attic'), server('cellar')]);
    for (const name of ['attic', 'cellar']) await learn(name);
    servers.next([server('attic', { health: 'down' }), server('cellar')]);
    expect(can('attic')).toEqual({});
    servers.next([server('attic'), server('cellar')]);
    expect([can('attic'), can('cellar')]).toEqual([{}, { n: '' }]);
    await learn('attic');
    expect(state.calls).toEqual(['attic Draw0', 'cellar Draw0', 'attic Draw0']);
  });

  it('is kept of 500 kinds of work', async () => {
    const { can, learn } = world([server('attic')]);
    for (let at = 0; at < 500; at += 1) await learn('attic', draws(), { ...asked, needs: `${at}` });
    expect(Object.keys(can('attic') ?? {})).toHaveLength(500);
    await learn('attic', draws(), { ...asked, needs: 'more' });
    expect(can('attic')).toEqual({ more: '' });
  });
});

it('submits again what a server lost where a run there costs nothing, or as it is told', () => {
  const lost = (submissionIds: 'jobs' | 'unproven' | 'keys' | 'none', rerun?: 'lost' | 'never') =>
    rerunsLost({ rerun }, { submissionIds });
  expect((['jobs', 'unproven', 'keys', 'none'] as const).map((ids) => lost(ids))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([lost('keys', 'lost'), lost('jobs', 'never')]).toEqual([true, false]);
});
