import { describe, expect, it, onTestFinished } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { known, lookAt, placed, report } from './known.js';
import type { QueueSnapshot, WaitingForServer } from '../../../../src/server/queue/servers/queue-snapshot.js';
import { runOverServers } from '../../../../src/server/queue/worker/servers/run-over-servers.js';
import { runTimes } from '../../../../src/client/pool/run-times.js';
import { Subject } from 'rxjs';
import { virtualClock } from '../../../../src/testing.js';

const work = { shape: 'draw', models: ['m'], needs: 'n', guessMs: 100, guessLoadMs: 0, tags: [] };
const waits = (id: string): WaitingForServer => ({ id, asked: work, since: 0, refusedBy: {}, attempt: 1 });
const attic = known('attic', [report({ slots: 3, can: { n: '' } })]);
const lacks = known('attic', [report({ can: { n: 'no class X' } })]);

interface WorldOptions {
  readonly concurrency?: number;
  readonly giveUpAfterMs?: number;
}

/** A worker of the server `attic`, whose queue is as `state.look` says; the test ends the jobs that it runs. */
const world = (first: Partial<QueueSnapshot> = {}, { concurrency, giveUpAfterMs }: WorldOptions = {}) => {
  const clock = virtualClock();
  const news = { changed: new Subject<string>(), resumed: new Subject<void>(), missed: new Subject<void>() };
  const changes = new Subject<unknown>();
  const times = runTimes();
  const calls: unknown[] = [];
  const ends = new Map<string, () => void>();
  const lost: string[] = [];
  const told: string[] = [];
  const running: (readonly string[])[] = [];
  const state = {
    look: lookAt([attic], first),
    fails: 0,
    /** The looks are answered once this is over. */
    until: Promise.resolve(),
    runs: [] as unknown[],
    position: '0',
  };
  const runner = runOverServers({
    ...{ worker: 'w', lockMs: 800, clock, times, placement: () => 'attic', notifications: news },
    concurrency,
    tellThrown: (what, cause) => void told.push(`${what}: ${String(cause)}`),
    rules: giveUpAfterMs === undefined ? {} : { giveUpAfterMs },
    store: { workflow: () => Promise.resolve(undefined) },
    reached: {
      client: () => ({ rest: { jobStatus: () => () => Promise.resolve(E.right({ phase: 'completed' })) } }),
      report: () => ({ attic: report() }),
      learn: () => undefined,
      changes,
    } as never,
    run: (job, signal, reason) => {
      calls.push(['run', job.id, ...(reason === undefined ? [] : [reason])]);
      signal.addEventListener('abort', () => void lost.push(job.id));
      return new Promise<void>((resolve) => void ends.set(job.id, resolve));
    },
    servers: {
      runsAfter: (position: string) => {
        calls.push(['runs after', position]);
        return Promise.resolve({ runs: state.runs.splice(0), position: state.position });
      },
      snapshot: (worker: string, aliveMs: number, text: string, most: number, ids: readonly string[]) => {
        running.push(ids);
        const { takes } = (JSON.parse(text) as Record<string, { readonly takes: boolean }>)['attic'] ?? {};
        calls.push(['look', worker, aliveMs, takes, most]);
        const isAway = state.fails-- > 0;
        return state.until.then(() => (isAway ? Promise.reject(new Error('away')) : state.look));
      },
      place: ({ id }: { readonly id: string }) => {
        calls.push(['place', id]);
        state.look = { ...state.look, own: [...state.look.own, id], first: [] };
        return Promise.resolve(placed(id));
      },
      takeOpen: () => Promise.resolve(undefined),
      again: ({ id }: { readonly id: string }) => Promise.resolve(calls.push(['again', id]) > 0),
      givenUp: () => {
        calls.push(['given up']);
        if (state.fails-- > 0) return Promise.reject(new Error('away'));
        return Promise.resolve([['p', 'attic'] as const]);
      },
      lateEnd: (...call: readonly unknown[]) => Promise.resolve(void calls.push(['late', ...call])),
      leave: (worker: string) => {
        calls.push(['leave', worker]);
        return Promise.reject(new Error('away'));
      },
    } as never,
  });
  onTestFinished(() => void runner.close());
  /** What was called since the last time, without the questions for runs. */
  const called = () => calls.splice(0).filter((call) => (call as readonly unknown[])[0] !== 'runs after');
  const looks = () => called().filter((call) => (call as readonly unknown[])[0] === 'look').length;
  return { runner, clock, news, changes, calls, called, looks, ends, lost, told, running, state, times };
};

const look = (aliveMs: number, takes = true, most = 64): readonly unknown[] => [
  'look',
  'w',
  aliveMs,
  takes,
  most,
];

describe('a worker over servers looks at its queue', () => {
  it('every five seconds where it has no job, and counts as alive for fifteen', async () => {
    const { clock, called } = world();
    await clock.advance(0);
    expect(called()).toEqual([look(15_000)]);
    await clock.advance(4_999);
    expect(called()).toEqual([]);
    await clock.advance(50);
    expect(called()).toContainEqual(look(15_000));
  });

  it.each([
    ['wait', { waiting: 1 }, [attic]],
    ['run', {}, [known('attic', [report()], { uses: [{ id: 'x', at: 0, ms: 0 }] })]],
    ['are left open', {}, [known('attic', [report({ isUp: false })], { open: 1 })]],
  ] as const)('eight times in the time of a lock where jobs %s', async (_, more, servers) => {
    const { clock, state, looks } = world();
    state.look = lookAt(servers, more);
    await clock.advance(0);
    expect(looks()).toBe(1);
    await clock.advance(99);
    expect(looks()).toBe(0);
    await clock.advance(1);
    expect(looks()).toBe(1);
  });

  it('again where a look failed, as soon as where jobs wait, and tells of it', async () => {
    const { clock, state, looks, told } = world();
    state.fails = 1;
    await clock.advance(0);
    await clock.advance(120);
    expect(looks()).toBe(2);
    expect(told).toEqual(['The worker could not take jobs, and tries it again: Error: away']);
  });

  it.each(['changed', 'resumed', 'missed', 'changes'] as const)(
    'at once where news come, %s, once for many',
    async (which) => {
      const { clock, news, changes, looks } = world();
      await clock.advance(100);
      expect(looks()).toBe(1);
      const source = (which === 'changes' ? changes : news[which]) as Subject<unknown>;
      for (let at = 0; at < 3; at += 1) source.next('x');
      await clock.advance(0);
      expect(looks()).toBe(1);
      await clock.advance(19);
      expect(looks()).toBe(0);
      await clock.advance(1);
      expect(looks()).toBe(1);
      await clock.advance(100);
      expect(looks()).toBe(0);
    },
  );

  it('for more of the waiting jobs while none of the first ones is for its servers', async () => {
    const { clock, state, called } = world();
    state.look = lookAt([attic], { waiting: 5_000 });
    await clock.advance(0);
    for (let at = 0; at < 4; at += 1) await clock.advance(100);
    expect(called()).toEqual([64, 512, 4_096, 4_096, 4_096].map((most) => look(15_000, true, most)));
    state.look = lookAt([attic], { waiting: 5_000, first: [waits('1')] });
    await clock.advance(100);
    expect(called()).toEqual([look(15_000, true, 4_096), ['place', '1'], ['run', '1']]);
    await clock.advance(100);
    expect(called()[0]).toEqual(look(800));
  });
});

describe('a worker over servers', () => {
  it('learns of the runs since its last look, on all machines', async () => {
    const { clock, state, calls, times } = world();
    await clock.advance(0);
    state.runs = [{ ...work, server: 'attic', modelsBefore: ['m'], ms: 900 }];
    state.position = '7-0';
    await clock.advance(5_000);
    expect(times.runMs('attic', { ...work, classes: [] })).toBe(900);
    await clock.advance(5_000);
    expect(calls.filter((call) => (call as readonly unknown[])[0] === 'runs after')).toEqual([
      ['runs after', '0'],
      ['runs after', '0'],
      ['runs after', '7-0'],
    ]);
  });

  it('runs as many jobs as it may, and looks at once when one has ended', async () => {
    const { runner, clock, called, ends, state } = world(
      { waiting: 2, first: [waits('1'), waits('2')] },
      { concurrency: 1 },
    );
    await clock.advance(0);
    expect([called().slice(1), runner.running()]).toEqual([
      [
        ['place', '1'],
        ['run', '1'],
      ],
      1,
    ]);
    state.look = lookAt([attic], { waiting: 1, first: [waits('2')], own: ['1'] });
    await clock.advance(21);
    called();
    ends.get('1')?.();
    await clock.advance(20);
    expect([called().slice(1), runner.running()]).toEqual([
      [
        ['place', '2'],
        ['run', '2'],
      ],
      1,
    ]);
  });

  it('says which jobs it runs, so that others that it holds by an answer which never came wait again', async () => {
    const { clock, ends, running } = world({ waiting: 2, first: [waits('1'), waits('2')] });
    await clock.advance(0);
    expect(running).toEqual([[]]);
    await clock.advance(100);
    expect(running.at(-1)).toEqual(['1', '2']);
    ends.get('1')?.();
    await clock.advance(100);
    expect(running.at(-1)).toEqual(['2']);
  });

  it('leaves a job that is not its own any more, and no other', async () => {
    const { clock, state, lost } = world({ waiting: 2, first: [waits('1'), waits('2')] });
    await clock.advance(0);
    expect(lost).toEqual([]);
    state.look = { ...state.look, own: ['2'] };
    await clock.advance(120);
    expect(lost).toEqual(['1']);
  });

  it('ends no job that no server can run before other workers have had the time to say what theirs can', async () => {
    const { clock, state, called } = world();
    state.look = lookAt([lacks], { waiting: 1, first: [waits('1')] });
    await clock.advance(0);
    await clock.advance(790);
    expect(called().map((call) => (call as readonly unknown[])[0])).not.toContain('place');
    await clock.advance(200);
    expect(called()).toContainEqual(['run', '1', 'no class X']);
  });

  it('gives up the jobs of servers that were away for as long as it is told, and else never', async () => {
    const away = known('cellar', [], { awaySince: 0, uses: [{ id: 'x', at: 0, ms: 0 }] });
    const given = world({}, { giveUpAfterMs: 1_000 });
    given.state.look = lookAt([away]);
    await given.clock.advance(0);
    expect(given.called()).toContainEqual(['again', 'x']);
    const kept = world();
    kept.state.look = lookAt([away], { now: 1e12 });
    await kept.clock.advance(0);
    expect(kept.called()).not.toContainEqual(['again', 'x']);
  });

  it('asks every five seconds what became of copies that were given up', async () => {
    const { clock, called, runner } = world();
    await clock.advance(4_999);
    expect(called()).not.toContainEqual(['given up']);
    await clock.advance(1);
    const settled = called().filter((call) => (call as readonly unknown[])[0] !== 'look');
    expect(settled).toEqual([['given up'], ['late', 'p', 'attic', true]]);
    await runner.close();
    await clock.advance(20_000);
    expect(called()).toEqual([['leave', 'w']]);
  });

  it('tells where it can not ask, and asks again', async () => {
    const { clock, called, state, told } = world();
    await clock.advance(4_900);
    called();
    state.fails = 1;
    await clock.advance(100);
    expect(called().filter((call) => (call as readonly unknown[])[0] !== 'look')).toEqual([['given up']]);
    expect(told).toEqual(['The worker could not ask for the ends of jobs that were given up: Error: away']);
    await clock.advance(5_000);
    expect(called()).toContainEqual(['late', 'p', 'attic', true]);
  });

  it('takes no more once it closes, says so, keeps what runs, and leaves when none does', async () => {
    const { clock, runner, ends, called, state } = world({ waiting: 1, first: [waits('1')] });
    await clock.advance(0);
    state.look = lookAt([attic], { waiting: 1, first: [waits('2')], own: ['1'] });
    called();
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));
    await clock.advance(120);
    expect([called(), isClosed]).toEqual([[look(800, false, 0)], false]);
    ends.get('1')?.();
    await closing;
    expect(called().at(-1)).toEqual(['leave', 'w']);
    await clock.advance(20_000);
    expect(called()).toEqual([]);
  });

  it.each([0, 1])(
    'leaves once a look under way is over, which would keep it alive: %i of it fails',
    async (fails) => {
      const { clock, runner, called, state } = world();
      let answer = (): void => undefined;
      state.until = new Promise((resolve) => (answer = resolve));
      state.fails = fails;
      await clock.advance(0);
      const closing = runner.close();
      await clock.advance(100);
      expect(called()).toEqual([look(15_000)]);
      answer();
      await closing;
      expect(called()).toEqual([['leave', 'w']]);
    },
  );
});
