import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { openReader, playedGateway, type ReadEvent, submitted, workflow } from '../support.js';
import type { StreamForm, StreamStart } from '../../../src/server/gateway/model/gateway-jobs.js';
import { settle } from '../../helpers/settle.js';
import { runs } from '../../helpers/runs.js';

type Json = Readonly<Record<string, unknown>>;

const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** What a job may do next. */
type Act =
  | { readonly _tag: 'run' }
  | { readonly _tag: 'end' }
  | { readonly _tag: 'progress'; readonly percent: number }
  | { readonly _tag: 'output'; readonly node: string; readonly files: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ _tag: fc.constant('run' as const) }),
  fc.record({ _tag: fc.constant('progress' as const), percent: fc.integer({ min: 1, max: 99 }) }),
  fc.record({
    ...{ _tag: fc.constant('output' as const), node: fc.constantFrom('1', '2', '__proto__') },
    files: fc.integer({ min: 1, max: 3 }),
  }),
);

/** Plays one act, as a client's states do: outputs only grow, and so does the progress. */
const played = (state: JobState, next: Act): JobState => {
  const running: JobState = { ...state, phase: 'in_progress', startedAt: 10 };
  if (next._tag === 'run') return running;
  if (next._tag === 'end') return { ...running, phase: 'completed', progress: 1, endedAt: 20 };
  if (next._tag === 'progress') {
    const progress = Math.max(state.progress, next.percent / 100);
    const node = {
      nodeId: '1',
      displayNodeId: '1',
      phase: 'running' as const,
      value: next.percent,
      max: 100,
    };
    return { ...running, progress, nodes: { 1: { ...node, fraction: progress } } };
  }
  const known = (state.outputs[next.node]?.['images'] ?? []) as readonly unknown[];
  const images = Array.from({ length: next.files }, (_, nth) => ({
    ...{ filename: `${next.node}-${known.length + nth}.png`, subfolder: '', type: 'output' },
  }));
  const outputs = Object.assign(Object.create(null) as Record<string, unknown>, state.outputs);
  outputs[next.node] = { images: [...known, ...images] };
  return { ...running, outputs: outputs };
};

/** A reader's own fold, over JSON: it shares no code with the gateway's. */
const folded = (events: readonly ReadEvent[]): ReadonlyMap<string, Json> => {
  const jobs = new Map<string, Json>();
  for (const { event, data } of events) {
    if (event === 'snapshot') {
      jobs.clear();
      for (const job of data['jobs'] as readonly { readonly id: string; readonly state: Json }[])
        jobs.set(job.id, job.state);
      continue;
    }
    const id = String(data['job']);
    const known = jobs.get(id);
    if (event === 'submitted') jobs.set(id, data['state'] as Json);
    if (known === undefined) continue;
    const { nodes, nodeCount, plan, exactNodes, progress, outputs } = known;
    const ofProgress = { nodes, nodeCount, plan, exactNodes, progress };
    if (event === 'status')
      jobs.set(id, {
        ...ofProgress,
        ...(data['progress'] as Json | undefined),
        outputs,
        ...(data['status'] as Json),
      });
    if (event === 'progress') jobs.set(id, { ...known, ...(data['progress'] as Json) });
    if (event === 'output') {
      const all = JSON.parse(JSON.stringify(outputs)) as Json;
      // A node may have any name.
      Object.defineProperty(all, String(data['nodeId']), {
        ...{ value: data['outputs'], enumerable: true, configurable: true, writable: true },
      });
      jobs.set(id, { ...known, outputs: all });
    }
  }
  return jobs;
};

const lifecycle = (events: readonly ReadEvent[]): readonly string[] =>
  events
    .filter(({ event }) => ['submitted', 'status', 'output', 'cancelRequested'].includes(event))
    .map(({ id, event, data }) => `${id} ${event} ${JSON.stringify(data)}`);

describe('a replay of the log', () => {
  it('folds to the states of the jobs, and gives each event once, wherever it is cut and resumed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 1 }), act), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 12 }),
        fc.constantFrom<StreamStart>({}, { from: 'start' }),
        fc.constantFrom<StreamForm['format']>('sse', 'ndjson'),
        fc.constantFrom(1, 400, 65_536),
        async (acts, cuts, start, format, readerBytes) => {
          const gateway = await playedGateway({ readerBytes });
          const ids = [(await submitted(gateway)).record.id, (await submitted(gateway)).record.id];
          const states = ['p1', 'p2'].map((promptId) => initialJobState({ workflow, promptId }));
          const move = async (job: number, next: Act): Promise<void> => {
            states[job] = played(states[job]!, next);
            gateway.service.jobs[job]!.move(states[job]);
            await settle();
          };
          const events: ReadEvent[] = [];
          let from = start;
          /** Reads so many events over one connection, or all that there are of jobs that are over. */
          const read = async (count: number): Promise<void> => {
            const reader = await openReader(gateway, { owner: 'alice' }, from, { format });
            for (let nth = 0; nth < count; nth += 1) {
              // The last event is that of the second job's end.
              if (count === Infinity && states.every(({ phase }) => phase === 'completed')) {
                const ends = [...folded(events).values()].filter(({ phase }) => phase === 'completed');
                if (ends.length === 2) break;
              }
              const one = (await reader.next())!;
              events.push(one);
              from = { after: one.id };
            }
            await reader.cut();
          };
          // A connection has its first event at once, and waits for others while nothing happens.
          await read(1);
          for (const [at, [job, next]] of acts.entries()) {
            const before = JSON.stringify(states[job]);
            await move(job, next);
            const isNews = JSON.stringify(states[job]) !== before;
            if (isNews) await read(Math.min(1, cuts[at % cuts.length]!));
          }
          for (const job of [0, 1]) await move(job, { _tag: 'end' });
          await read(Infinity);

          const jobs = folded(events);
          for (const [job, id] of ids.entries())
            expect(jsonOf(jobs.get(id))).toEqual(jsonOf({ ...states[job], promptId: id }));
          const seen = lifecycle(events);
          expect(new Set(seen).size).toBe(seen.length);
          if (start.from === 'start') {
            const whole = [];
            for (const id of ids)
              whole.push(
                ...(await (
                  await openReader(gateway, { owner: 'alice', jobId: id }, { from: 'start' }, { format })
                ).rest()),
              );
            expect(new Set(seen)).toEqual(new Set(lifecycle(whole)));
          }
        },
      ),
      { numRuns: runs(80) },
    );
  });
});
