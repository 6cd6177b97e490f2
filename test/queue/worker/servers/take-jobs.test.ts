import { describe, expect, it } from 'vitest';
import { known, lookAt, placed, report } from './known.js';
import type {
  KnownServer,
  QueueSnapshot,
  WaitingForServer,
} from '../../../../src/server/queue/servers/queue-snapshot.js';
import type { Placement } from '../../../../src/client/pool/placement.js';
import { runTimes } from '../../../../src/client/pool/run-times.js';
import { takeJobs } from '../../../../src/server/queue/worker/servers/take-jobs.js';

const asked = {
  shape: 'attic',
  models: ['attic'],
  needs: 'for attic',
  guessMs: 100,
  guessLoadMs: 20,
  tags: [],
};
/** A job for which the placement of these tests chooses this server. */
const waits = (id: string, to = 'attic'): WaitingForServer => ({
  ...{ id, since: 0, refusedBy: {}, attempt: 1, asked: { ...asked, shape: to, needs: `for ${to}` } },
});
const byShape: Placement = ({ shape }) => shape;
const able = report({ slots: 2, can: { 'for attic': '', 'for cellar': '' } });

interface WorldOptions {
  /** How many jobs the worker may have. */
  readonly room?: number;
  readonly refuses?: boolean;
  /** The servers that this worker brings. */
  readonly brings?: readonly string[];
  /** The jobs that the servers of this worker may have already. */
  readonly open?: readonly string[];
  /** The jobs that another worker was quicker to take. */
  readonly taken?: readonly string[];
  /** What the store has of the workflows. */
  readonly kept?: { readonly workflow: unknown };
  readonly placement?: Placement;
}

const world = (options: WorldOptions = {}) => {
  const {
    room = 9,
    refuses = true,
    brings = ['attic'],
    open = [],
    taken = [],
    kept,
    placement = byShape,
  } = options;
  const calls: unknown[] = [];
  const left = [...open];
  let running = 0;
  const take = (look: QueueSnapshot): Promise<number> =>
    takeJobs(look, {
      ...{ worker: 'w', lockMs: 800, placement, times: runTimes(), refuses },
      tellThrown: (what, cause) => void calls.push(['told', what, cause]),
      hasRoom: () => running < room,
      start: (job, reason) => {
        running += 1;
        calls.push(['start', job.id, ...(reason === undefined ? [] : [reason])]);
      },
      store: { workflow: () => Promise.resolve(kept?.workflow as never) },
      servers: {
        takeOpen: (...call: readonly unknown[]) => {
          calls.push(['take open', ...call]);
          const id = left.shift();
          return Promise.resolve(id === undefined ? undefined : placed(id));
        },
        place: (call: { readonly id: string }, ...by: readonly unknown[]) => {
          calls.push(['place', call, ...by]);
          return Promise.resolve(taken.includes(call.id) ? undefined : placed(call.id));
        },
      } as never,
      reached: {
        client: (name: string) => (brings.includes(name) ? {} : undefined),
        learn: (name: string, work: object, read: () => Promise<unknown>) =>
          void calls.push(['learn', name, work, read]),
      } as never,
    });
  return { take, calls };
};

const look = (servers: readonly KnownServer[], ...first: readonly WaitingForServer[]): QueueSnapshot =>
  lookAt(servers, { first, waiting: first.length });
const placing = (id: string, server: string, slots: number, expectedMs: number) => [
  ...['place', { id, server, slots, expectedMs, models: [server] }],
  ...['w', 800],
];

describe('what a worker takes of a queue over servers', () => {
  it('is what the choice gives to its own servers, with the time that a job is expected to take there', async () => {
    const { take, calls } = world();
    const servers = [known('attic', [able]), known('cellar', [able])];
    expect(await take(look(servers, waits('1', 'cellar')))).toBe(0);
    expect(calls).toEqual([]);
    expect(await take(look(servers, waits('2')))).toBe(1);
    expect(calls).toEqual([placing('2', 'attic', 2, 120), ['start', '2']]);
    const loaded = world();
    expect(await loaded.take(look([known('attic', [able], { models: ['attic'] })], waits('1')))).toBe(1);
    expect(loaded.calls[0]).toEqual(placing('1', 'attic', 2, 100));
  });

  it('is no job of a server that gets none by this worker, though another one brings it too', async () => {
    const { take, calls } = world();
    const both = known('attic', [{ ...able, takes: false }, able]);
    expect(await take(look([both], waits('1')))).toBe(0);
    expect(calls).toEqual([]);
  });

  it('is no more than the worker has room for, without what another one was quicker to take', async () => {
    const { take, calls } = world({ room: 1, taken: ['1'] });
    const servers = [known('attic', [{ ...able, slots: 3 }])];
    expect(await take(look(servers, waits('1'), waits('2'), waits('3')))).toBe(2);
    expect(calls).toEqual([placing('1', 'attic', 3, 120), placing('2', 'attic', 3, 120), ['start', '2']]);
  });

  it('begins with the jobs that its servers may have already, while it has room', async () => {
    const { take, calls } = world({ open: ['a', 'b'], brings: ['attic', 'cellar', 'shed'] });
    const servers = [
      known('attic', [report()], { open: 2 }),
      known('cellar', [report()]),
      known('shed', [report({ isUp: false })], { open: 1 }),
      known('other', [report()], { open: 1 }),
    ];
    expect(await take(look(servers))).toBe(0);
    const asks = ['take open', ['attic'], 'w', 800];
    expect(calls).toEqual([asks, ['start', 'a'], asks, ['start', 'b'], asks]);
    const full = world({ open: ['a', 'b'], room: 1 });
    await full.take(look(servers));
    expect(full.calls).toEqual([asks, ['start', 'a']]);
    const none = world();
    await none.take(look([known('attic', [report()])]));
    expect(none.calls).toEqual([]);
  });

  it('is a job that no server can run as well, to end it with the reason, once it may', async () => {
    const lacks = known('attic', [report({ can: { 'for attic': 'no class X' } })]);
    const { take, calls } = world();
    expect(await take(look([lacks], waits('1')))).toBe(0);
    const nowhere = { id: '1', server: '', slots: 0, expectedMs: 0, models: [] };
    expect(calls).toEqual([
      ['place', nowhere, 'w', 800],
      ['start', '1', 'no class X'],
    ]);
    const early = world({ refuses: false });
    await early.take(look([lacks], waits('1')));
    expect(early.calls).toEqual([]);
    const late = world({ taken: ['1'] });
    await late.take(look([lacks], waits('1')));
    expect(late.calls).toHaveLength(1);
  });

  it('is no job for which the placement throws, which is told; the others go on', async () => {
    const placement: Placement = ({ shape }) => {
      if (shape === 'cellar') throw new Error('no cellar');
      return shape;
    };
    const { take, calls } = world({ placement });
    expect(await take(look([known('attic', [able])], waits('1', 'cellar'), waits('2')))).toBe(1);
    expect(calls).toEqual([
      ['told', 'The placement threw for the job 1, which waits', new Error('no cellar')],
      placing('2', 'attic', 2, 120),
      ['start', '2'],
    ]);
  });

  it.each([
    ['is there', { workflow: { 1: {} } }, { 1: {} }],
    ['is gone', undefined, undefined],
    ['can’t be read', 'unreadable', undefined],
  ])(
    'asks a server whether it can run a job that it does not know, whose workflow %s',
    async (_, workflow, expected) => {
      const { take, calls } = world({ kept: { workflow } });
      await take(look([known('attic', [report()])], waits('1')));
      const [[what, name, work, read] = []] = calls as [string, string, object, () => Promise<unknown>][];
      expect([what, name, work, calls.length]).toEqual(['learn', 'attic', asked, 1]);
      expect(await read?.()).toEqual(expected);
    },
  );
});
