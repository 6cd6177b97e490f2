import type { AskedWork } from '../../servers/asked-work.js';
import { BehaviorSubject, distinctUntilChanged, map, merge, type Observable, Subject, tap } from 'rxjs';
import { type Capabilities, capabilities, verdictOf } from '../../../../client/pool/capability.js';
import type { Client } from '../../../../client/client-types.js';
import type { Clock } from '../../../../core/platform/platform.js';
import { type FailingShapes, isFailing, withFailure, withSuccess } from '../../../../client/pool/failing.js';
import { nameInQueue } from '../../servers/name-in-queue.js';
import type { ServerReport } from '../../servers/server-report.js';
import type { ServerRules } from '../../policy/rules.js';
import type { WorkerPool, WorkerPoolServer } from '../../options.js';
import { workAsked } from '../../servers/asked-work.js';
import { workOf } from '../../../../client/pool/work.js';
import type { Workflow } from '../../../../core/protocol/workflow.js';

/** The servers that one worker brings. */
export interface ReachedServers {
  /** The client of a server, by its name in the queue; undefined for one that this worker does not bring. */
  readonly client: (server: string) => Client | undefined;
  readonly clients: () => readonly Client[];
  /** Whether a server is down: now, and each change. */
  readonly isDown: (server: string) => Observable<boolean>;
  /** What this worker reports of each. */
  readonly report: () => Readonly<Record<string, ServerReport>>;
  /** Asks a server whether it can run some work, once at a time. */
  readonly learn: (server: string, asked: AskedWork, workflow: () => Promise<Workflow | undefined>) => void;
  /** Gives a server no further jobs for `ms` milliseconds. */
  readonly busy: (server: string, ms: number) => void;
  /** Learns how a job of a shape of work ended on a server. */
  readonly ended: (server: string, shape: string, as: 'completed' | 'failed') => void;
  /** Emits after each change of what is reported. */
  readonly changes: Observable<unknown>;
  readonly close: () => void;
}

/** The pool of a worker, its rules, and the speeds of its servers. */
export interface ReachedServersOptions {
  readonly pool: WorkerPool;
  readonly clock: Clock;
  readonly rules: ServerRules;
  readonly speedOf: (server: string) => number;
}

/** How long the answer of a server that lacks something counts, in milliseconds: models may be added at any time. */
const refusalsCountMs = 60_000;
/** How many kinds of work are remembered for each server. */
const maxKnown = 500;

/** Watches the servers of a worker's pool. */
export const reachedServers = ({ pool, clock, rules, speedOf }: ReachedServersOptions): ReachedServers => {
  const servers = new BehaviorSubject<ReadonlyMap<string, WorkerPoolServer>>(new Map());
  const known = new Map<string, KnownWork>();
  const busyUntil = new Map<string, number>();
  const failing = new Map<string, FailingShapes>();
  const learned = new Subject<void>();
  const knownOf = (name: string): KnownWork => {
    const one = known.get(name) ?? newKnown(pool.client(servers.value.get(name)?.name ?? name), clock);
    known.set(name, one);
    return one;
  };
  const watching = pool.servers
    .pipe(
      map((all) => new Map(all.map((server) => [nameInQueue(server), server] as const))),
      tap((next) => {
        // A server that comes back may have other classes and models, and a worker reports none of a server that is down.
        for (const [name, { health }] of servers.value) if (health === 'down') known.delete(name);
        servers.next(next);
      }),
    )
    .subscribe({ error: () => undefined });
  const client = (name: string): Client | undefined => {
    const server = servers.value.get(name);
    return server === undefined ? undefined : pool.client(server.name);
  };

  return {
    client,
    clients: () => [...servers.value.values()].map(({ name }) => pool.client(name)),
    isDown: (name) =>
      servers.pipe(
        map((all) => all.get(name)?.health === 'down'),
        distinctUntilChanged(),
      ),
    report: () =>
      Object.fromEntries(
        [...servers.value].map(([name, server]) => {
          const { baseUrl, health, since, slots, tags, reason, memory, mode } = server;
          const isUp = health === 'up' || health === 'trusted later' || health === 'refusing';
          const isFree = clock.now() >= (busyUntil.get(name) ?? -Infinity);
          const report: ServerReport = {
            ...{ baseUrl, health, since, slots, tags, isUp },
            takes: health === 'up' && mode === 'active' && isFree,
            ...(reason !== undefined && { reason }),
            ...(memory !== undefined && { memory }),
            speed: speedOf(name),
            rerunsLost: rerunsLost(rules, pool.client(server.name)),
            can: isUp ? knownOf(name).verdicts() : {},
            failing: failingNow(failing.get(name) ?? new Map(), clock.now()),
          };
          return [name, report] as const;
        }),
      ),
    learn: (name, asked, workflow) => {
      if (client(name) === undefined) return;
      void knownOf(name)
        .learn(asked, workflow)
        .then((isKnown) => (isKnown ? learned.next() : undefined));
    },
    busy: (name, ms) => void busyUntil.set(name, clock.now() + ms),
    ended: (name, shape, as) => {
      const before = failing.get(name) ?? new Map();
      failing.set(
        name,
        as === 'failed' ? withFailure(before, shape, clock.now()) : withSuccess(before, shape),
      );
    },
    changes: merge(
      learned,
      servers.pipe(
        map((all) =>
          JSON.stringify([...all].map(([name, { health, mode, slots }]) => [name, health, mode, slots])),
        ),
        distinctUntilChanged(),
      ),
    ),
    close: () => watching.unsubscribe(),
  };
};

const failingNow = (failing: FailingShapes, now: number): readonly string[] =>
  [...failing.keys()].filter((shape) => isFailing(failing, shape, now));

/** Whether a worker has jobs that a server lost submitted again. */
export const rerunsLost = (
  { rerun }: ServerRules,
  { submissionIds }: Pick<Client, 'submissionIds'>,
): boolean =>
  rerun === undefined ? submissionIds === 'jobs' || submissionIds === 'unproven' : rerun === 'lost';

/** What one server can run, as far as it was asked. */
interface KnownWork {
  readonly verdicts: () => Readonly<Record<string, string>>;
  readonly learn: (asked: AskedWork, workflow: () => Promise<Workflow | undefined>) => Promise<boolean>;
}

const newKnown = (client: Client, clock: Clock): KnownWork => {
  const can: Capabilities = capabilities(client, clock);
  const verdicts = new Map<string, { readonly text: string; readonly at: number }>();
  const asking = new Set<string>();
  const isFresh = ({ text, at }: { readonly text: string; readonly at: number }): boolean =>
    text === '' || clock.now() - at < refusalsCountMs;
  const ask = async (asked: AskedWork, read: () => Promise<Workflow | undefined>): Promise<boolean> => {
    const workflow = await read();
    if (workflow === undefined) return false;
    const work = { ...workAsked(asked), classes: workOf(workflow).classes };
    can.forgetRefusals();
    if (!(await can.learn(work, workflow))) return false;
    if (verdicts.size >= maxKnown) verdicts.clear();
    verdicts.set(asked.needs, { text: verdictOf(can.of(work)), at: clock.now() });
    return true;
  };
  return {
    verdicts: () =>
      Object.fromEntries(
        [...verdicts].filter(([, one]) => isFresh(one)).map(([needs, { text }]) => [needs, text]),
      ),
    learn: async (asked, workflow) => {
      if (asking.has(asked.needs)) return false;
      asking.add(asked.needs);
      return ask(asked, workflow)
        .catch(() => false)
        .finally(() => asking.delete(asked.needs));
    },
  };
};
