import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createClientOn } from '../../src/client/client.js';
import type { HttpRequest } from '../../src/core/platform/platform.js';
import { requestFate, socketFate } from '../helpers/fault-arbitraries.js';
import { messages } from '../helpers/job-harness.js';
import { record } from '../helpers/record.js';
import { lawWithinMs, patient } from '../helpers/patient.js';
import { simulatedService } from '../helpers/simulated-service.js';
import { runs } from '../helpers/runs.js';

vi.setConfig({ testTimeout: lawWithinMs });

const numRuns = runs(1000);
const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };

const isSubmission = ({ method, url }: HttpRequest): boolean =>
  method === 'POST' && new URL(url).pathname.endsWith('/prompt');

const plan = fc.record({
  dialect: fc.constantFrom('cloud' as const, 'local' as const),
  sockets: fc.array(socketFate, { maxLength: 3 }),
  posts: fc.array(requestFate, { maxLength: 4 }),
  others: fc.array(requestFate, { maxLength: 4 }),
  jobMs: fc.integer({ min: 0, max: 2_000 }),
  leaves: fc.option(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 20_000 }),
      how: fc.constantFrom('unsubscribes' as const, 'aborts' as const, 'closes' as const),
    }),
  ),
  onUnsubscribe: fc.constantFrom('detach' as const, 'cancel' as const),
  resumes: fc.boolean(),
});

describe('one subscription to run (law 5)', () => {
  it('E1, E19: leads to at most one accepted submission, under any failure, and to none once its watcher has left', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ dialect, sockets, posts, others, jobMs, leaves, ...options }) => {
        const accepted: string[] = [];
        const fates = { posts: [...posts], others: [...others] };
        const service = simulatedService({
          sockets,
          requests: (request) => (isSubmission(request) ? fates.posts : fates.others).shift(),
          handle: (request) => {
            if (!isSubmission(request)) return { status: 404, body: {} };
            const promptId = `p${accepted.length}`;
            accepted.push(promptId);
            service.at(jobMs, () => service.send(messages(promptId).success));
            return { body: { prompt_id: promptId, node_errors: {} } };
          },
        });
        const client = createClientOn(service.platform, {
          baseUrl: 'http://127.0.0.1:8188',
          dialect,
        });
        const controller = new AbortController();
        const watching = record(
          client.run(workflow, { signal: controller.signal, onUnsubscribe: options.onUnsubscribe }),
        );
        const posted = (): number => service.requests.filter(isSubmission).length;
        let postedBefore = Infinity;
        const leave = async (): Promise<void> => {
          postedBefore = posted();
          if (leaves?.how === 'unsubscribes') watching.subscription.unsubscribe();
          if (leaves?.how === 'aborts') controller.abort();
          if (leaves?.how === 'closes') await client.close();
        };
        if (leaves !== null) service.at(leaves.afterMs, () => void leave());
        if (options.resumes) service.at(3_000, () => client.resume());
        // A job without any sensible answer ends once 5 minutes of answers say so; calls that hang count nothing.
        await service.clock.advance(3_600_000);

        expect(accepted.length).toBeLessThanOrEqual(1);
        expect(posted()).toBeLessThanOrEqual(postedBefore);
        const named = watching.values.at(-1)?.promptId ?? '';
        if (named !== '') expect([named]).toEqual(accepted);
        if (leaves === null) expect(watching.end).not.toBe('none');
        await client.close();
      }),
      { numRuns, ...patient },
    );
  });
});
