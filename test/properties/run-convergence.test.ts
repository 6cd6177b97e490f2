import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createClientOn } from '../../src/client/client.js';
import { isTerminal } from '../../src/core/state/job-state.js';
import type { HttpRequest } from '../../src/core/platform/platform.js';
import { passingTrouble, socketFate } from '../helpers/fault-arbitraries.js';
import { imageOf, messages } from '../helpers/job-harness.js';
import { record } from '../helpers/record.js';
import { lawWithinMs, patient } from '../helpers/patient.js';
import { type Handler, simulatedService } from '../helpers/simulated-service.js';
import { runs } from '../helpers/runs.js';

vi.setConfig({ testTimeout: lawWithinMs });

const numRuns = runs(1000);
const workflow = {
  1: { class_type: 'KSampler', inputs: {} },
  2: { class_type: 'SaveImage', inputs: {} },
  3: { class_type: 'PreviewImage', inputs: {} },
};
const outputs = { 2: { images: [imageOf('a.png'), imageOf('b.png')] }, 3: { images: [imageOf('c.png')] } };

type End = 'completed' | 'failed' | 'cancelled';

/** What the service sends of a job, in the order in which it happens. */
const story = (promptId: string, end: End): readonly object[] => {
  const { start, executing, progress, success, error, interrupted } = messages(promptId);
  const executed = (node: '2' | '3') => ({
    type: 'executed',
    data: { node, display_node: node, output: outputs[node], prompt_id: promptId },
  });
  const ends = { completed: success, failed: error, cancelled: interrupted };
  return [
    start,
    executing('1'),
    ...[1, 2, 3].map((step) => progress('1', step, 3)),
    ...[executing('2'), executed('2'), executing('3'), executed('3')],
    ends[end],
    executing(null),
  ];
};
const beatMs = 150;
const length = story('', 'completed').length;
const endMs = (length - 2) * beatMs;

/** How much later than it happened a frame is sent; nothing is a loss, two a duplicate. */
const deliveries = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant([0]) },
    { weight: 2, arbitrary: fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 2 }) },
  ),
  { minLength: length, maxLength: length },
);

const plan = fc.record({
  end: fc.constantFrom<End>('completed', 'completed', 'failed', 'cancelled'),
  own: deliveries,
  foreign: deliveries,
  foreignEnd: fc.constantFrom<End>('completed', 'failed', 'cancelled'),
  sockets: fc.array(socketFate, { maxLength: 4 }),
  answerMs: fc.integer({ min: 0, max: 4_000 }),
  reads: fc.array(passingTrouble, { maxLength: 6 }),
  lagMs: fc.integer({ min: 0, max: 8_000 }),
  keyed: fc.boolean(),
});

const isSubmission = ({ method }: HttpRequest): boolean => method === 'POST';

describe('a job that REST tells the truth about (law 4)', () => {
  it('ends in the same state, once, under any loss of frames, sockets and single reads', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ end, own, foreign, foreignEnd, keyed, lagMs, answerMs, ...faults }) => {
        const reads = [...faults.reads];
        const service = simulatedService({
          sockets: faults.sockets,
          requests: (request) =>
            isSubmission(request) ? { afterMs: 5, answerMs, how: 'answered' } : reads.shift(),
          handle: (request) => handle(request),
        });
        const now = (): number => service.clock.now();
        // A job that did not complete owes no outputs: its record is late by half a second at most, but then whole.
        const [endLag, outputsLag] = end === 'completed' ? [0, lagMs] : [lagMs / 16, lagMs / 16];
        const handle: Handler = (request) => {
          if (isSubmission(request)) {
            acceptedAt = now();
            send(story('job', end), own);
            send(story('other', foreignEnd), foreign);
            return { body: { prompt_id: 'job', number: 1, node_errors: {} } };
          }
          const ageMs = now() - acceptedAt;
          const isRecord = request.url.includes('/history');
          if (request.url.includes('/jobs/')) return { body: detailAt(ageMs) };
          if (isRecord ? ageMs < beatMs : ageMs < 0) return { status: 404, body: {} };
          const body = isRecord ? recordAt(ageMs) : { id: 'job', status: statusAt(ageMs) };
          return { body: isRecord && keyed ? { job: body } : body };
        };
        let acceptedAt = Infinity;
        const send = (sent: readonly object[], delays: readonly (readonly number[])[]): void =>
          sent.forEach((message, index) => {
            for (const delay of delays[index] ?? [])
              service.at(index * beatMs + delay, () => service.send(message));
          });
        const statusAt = (ageMs: number): string => {
          if (ageMs >= endMs) return end;
          return ageMs < beatMs ? 'pending' : 'in_progress';
        };
        const detailAt = (ageMs: number): object => ({ status: statusAt(ageMs), outputs_count: 3 });
        const recordAt = (ageMs: number): object => ({
          outputs: ageMs >= endMs + outputsLag ? outputs : {},
          status: ageMs >= endMs + endLag ? statusOf(end) : null,
        });

        const client = createClientOn(service.platform, { baseUrl: 'http://127.0.0.1:8188' });
        const told = record(client.run(workflow));
        await service.clock.advance(240_000);

        expect(told.end).toBe('complete');
        expect(told.values.filter(({ phase }) => isTerminal(phase))).toHaveLength(1);
        expect(told.values.at(-1)).toMatchObject({ promptId: 'job', phase: end, outputsComplete: true });
        expect(told.values.at(-1)?.outputs).toEqual(outputs);
        await client.close();
      }),
      { numRuns, ...patient },
    );
  });
});

const statusOf = (end: End): object => {
  const message = story('job', end).at(-2) as { readonly type: string; readonly data: object };
  return {
    status_str: end === 'completed' ? 'success' : 'error',
    completed: end === 'completed',
    messages: [[message.type, message.data]],
  };
};
