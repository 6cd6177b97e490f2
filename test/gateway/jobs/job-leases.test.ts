import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { jobLeases } from '../../../src/server/gateway/jobs/job-leases.js';
import type { JobIndex, JobRecord } from '../../../src/server/joblog/job-index.js';
import { leasedPorts } from '../leased-ports.js';
import { life, playedGateway, submitted } from '../support.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { runs } from '../../helpers/runs.js';

const names = ['one', 'two', 'three'] as const;
type Name = (typeof names)[number];

const record = (id: string): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 10, workflow: {} },
  submissionId: `s-${id}`,
});

type Step =
  | { readonly _tag: 'add' | 'cut' | 'mend' | 'releaseAll'; readonly name: Name }
  | { readonly _tag: 'end'; readonly nth: number }
  | { readonly _tag: 'pass'; readonly seconds: number };

const name = fc.constantFrom(...names);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ _tag: fc.constant('add' as const), name }) },
    { weight: 2, arbitrary: fc.record({ _tag: fc.constantFrom('cut' as const, 'mend' as const), name }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant('releaseAll' as const), name }) },
    { weight: 2, arbitrary: fc.record({ _tag: fc.constant('end' as const), nth: fc.nat({ max: 9 }) }) },
    {
      weight: 5,
      arbitrary: fc.record({ _tag: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 45 }) }),
    },
  ),
  { maxLength: 25 },
);

/** When each process asks the index first, in seconds; from then on every ten. */
const firstAt: Readonly<Record<Name, number>> = { one: 10, two: 13, three: 17 };

/** Who has which job, by owners and times alone. */
const leaseModel = () => {
  let now = 0;
  const leases = new Map<string, { readonly by: Name; readonly until: number }>();
  const ended = new Set<string>();
  const cut = new Set<Name>();
  const acting: Readonly<Record<Name, Set<string>>> = { one: new Set(), two: new Set(), three: new Set() };
  const ask = (by: Name): void => {
    for (const id of ended) acting[by].delete(id);
    if (cut.has(by)) return;
    for (const id of acting[by]) {
      if (leases.get(id)?.by === by) leases.set(id, { by, until: now + 30 });
      else acting[by].delete(id);
    }
    for (const [id, { until }] of leases)
      if (!ended.has(id) && until <= now) {
        leases.set(id, { by, until: now + 30 });
        acting[by].add(id);
      }
  };
  return {
    acting,
    add: (by: Name, id: string): void => {
      leases.set(id, { by, until: now + 30 });
      acting[by].add(id);
    },
    end: (id: string): void => void ended.add(id),
    cut: (by: Name): void => void cut.add(by),
    mend: (by: Name): void => void cut.delete(by),
    releaseAll: (by: Name): void => {
      for (const id of acting[by])
        if (!cut.has(by) && leases.get(id)?.by === by) leases.set(id, { by, until: now });
    },
    pass: (seconds: number): void => {
      for (const end = now + seconds; now < end;) {
        now += 1;
        for (const by of names) if (now >= firstAt[by] && (now - firstAt[by]) % 10 === 0) ask(by);
      }
    },
    isReached: (by: Name): boolean => !cut.has(by),
    ended,
  };
};

describe('the jobs that a process holds', () => {
  it('are those of the model of owners and times: of processes that reach the index at most one acts', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (play) => {
        const clock = virtualClock();
        const { portsOf, cutOff } = leasedPorts(clock);
        const model = leaseModel();
        const acting: Readonly<Record<Name, Set<string>>> = {
          one: new Set(),
          two: new Set(),
          three: new Set(),
        };
        const ids: string[] = [];
        const renewed: string[] = [];
        const processes = new Map<Name, { index: JobIndex; held: ReturnType<typeof jobLeases> }>();
        for (const own of names) {
          await clock.advance(firstAt[own] * 1000 - 10_000 - clock.now());
          const { index } = portsOf(own);
          const leases = {
            ...index.leases!,
            renew: (
              asked: readonly string[],
              lease: Parameters<NonNullable<typeof index.leases>['renew']>[1],
            ) => {
              renewed.push(...asked);
              return index.leases!.renew(asked, lease);
            },
          };
          const held = jobLeases({ ...index, leases }, own, clock);
          processes.set(own, { index, held });
          held.renewing({
            isOver: (id) => model.ended.has(id),
            lost: (id) => void acting[own].delete(id),
            found: (records) => {
              for (const { id } of records) acting[own].add(id);
              return Promise.resolve();
            },
          });
        }
        model.pass(7);
        for (const step of play) {
          if (step._tag === 'pass') {
            renewed.length = 0;
            const over = new Set(model.ended);
            await clock.advance(step.seconds * 1000);
            model.pass(step.seconds);
            // A job that is over is not renewed once more.
            expect(renewed.filter((id) => over.has(id))).toEqual([]);
          } else if (step._tag === 'end') {
            const id = ids[step.nth];
            if (id === undefined) continue;
            await memoryEnd(processes.get('one')!.index, id);
            model.end(id);
          } else {
            const { index, held } = processes.get(step.name)!;
            if (step._tag === 'add') {
              const id = `job ${ids.length}`;
              ids.push(id);
              await index.add(record(id), held.lease);
              held.add(id);
              acting[step.name].add(id);
              model.add(step.name, id);
            } else if (step._tag === 'releaseAll') {
              await held.releaseAll().catch(() => undefined);
              model.releaseAll(step.name);
            } else {
              if (step._tag === 'cut') cutOff.add(step.name);
              else cutOff.delete(step.name);
              model[step._tag](step.name);
            }
          }
          const alive = (own: Name, of: typeof acting) =>
            [...of[own]].filter((id) => !model.ended.has(id)).sort();
          for (const own of names) expect(alive(own, acting)).toEqual(alive(own, model.acting));
        }
        // Once all reach the index again, each job that goes on has one process, and none has two.
        for (const own of names) {
          cutOff.delete(own);
          model.mend(own);
        }
        await clock.advance(45_000);
        const held = names.flatMap((own) => [...acting[own]]).filter((id) => !model.ended.has(id));
        expect(held.sort()).toEqual(ids.filter((id) => !model.ended.has(id)).sort());
      }),
      { numRuns: runs(100) },
    );
  });

  it('are all where one process has the index alone', async () => {
    const held = jobLeases(memoryJobIndex(), 'one', virtualClock());
    expect(await held.isHeld('any')).toBe(true);
    expect(await held.acquire()).toEqual([]);
    await held.releaseAll();
  });

  it('are lost at the first question after another process has them', async () => {
    const clock = virtualClock();
    const { portsOf } = leasedPorts(clock);
    const [one, two] = [portsOf('one').index, portsOf('two').index];
    const own = jobLeases(one, 'one', clock);
    await one.add(record('a'), own.lease);
    own.add('a');
    expect(await own.isHeld('a')).toBe(true);
    await clock.advance(30_000);
    expect((await jobLeases(two, 'two', clock).acquire()).map(({ id }) => id)).toEqual(['a']);
    expect(await own.isHeld('a')).toBe(false);
    own.add('b');
    own.delete('b');
    expect(await own.isHeld('b')).toBe(false);
  });

  it('of a gateway are none of those that have ended', async () => {
    const clock = virtualClock();
    const { portsOf } = leasedPorts(clock);
    const { index, log } = portsOf('one');
    const renewed: (readonly string[])[] = [];
    const leases = {
      ...index.leases!,
      renew: (...args: Parameters<NonNullable<typeof index.leases>['renew']>) => {
        renewed.push(args[0]);
        return index.leases!.renew(...args);
      },
    };
    const gateway = await playedGateway({ clock, log, index: { ...index, leases } });
    const over = await submitted(gateway);
    const on = await submitted(gateway);
    gateway.service.jobs[0]!.move(life('p1').at(-1)!);
    await clock.advance(10_000);
    expect(renewed.at(-1)).toEqual([on.record.id]);
    gateway.service.jobs[1]!.move(life('p2').at(-1)!);
    await clock.advance(10_000);
    expect([renewed.at(-1), over.record.id === on.record.id]).toEqual([[], false]);
    await gateway.jobs.close();
  });
});

const memoryEnd = (index: JobIndex, id: string): Promise<void> =>
  index.update(id, { ended: { phase: 'completed', at: 1 } });
