import { describe, expect, it } from 'vitest';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import type { Rest } from '../../src/core/http/rest.js';
import { run, type RunOptions } from '../../src/client/jobs/run.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const workflow: Workflow = {
  3: { class_type: 'KSampler', inputs: {} },
  9: { class_type: 'SaveImage', inputs: { images: ['3', 0] } },
};
const p = messages('p');
const outputs = { 9: { images: [imageOf('a.png')] } };
const good: Partial<Rest> = {
  submit: () => TE.right({ promptId: 'p', nodeErrors: {} }),
  history: () => TE.right({ promptId: 'p', outputs, phase: 'completed', isFinal: true, record: {} }),
};

const running = (options?: RunOptions, rest: Partial<Rest> = good, graph: Workflow = workflow) => {
  const harness = jobHarness(rest);
  const remembered: string[] = [];
  const abandoned: string[] = [];
  const hooks = {
    outcomeUnknown: () => undefined,
    orphaned: ({ promptId }: { readonly promptId: string }) => void remembered.push(promptId),
    abandon: (promptId: string) => void abandoned.push(promptId),
  };
  const job = watch(run(harness.context, hooks, graph, options));
  return { ...harness, ...job, clock: harness.platform.clock, remembered, abandoned };
};

describe('run', () => {
  it('goes from submitting to completed with the outputs of history', async () => {
    const { socket, clock, phases, last, completed } = running();
    expect(last()).toMatchObject({ phase: 'submitting', promptId: '', nodeCount: 2 });
    socket().open();
    await clock.advance(0);
    for (const message of [
      p.start,
      p.executing('3'),
      p.progress('3', 1, 2),
      p.executed('9', 'a.png'),
      p.success,
    ]) {
      socket().receive(message);
    }
    await clock.advance(0);
    expect(phases()).toEqual(['submitting', 'pending', 'in_progress', 'completed']);
    expect(last()).toMatchObject({ promptId: 'p', outputs, progress: 1, outputsComplete: true });
    expect(completed()).toBe(true);
  });

  it.each([null, 3, [], { 1: null }])('errors with InvalidWorkflow for %j', (given) => {
    const { phases, error } = running({}, good, given as unknown as Workflow);
    expect(phases()).toEqual(['submitting']);
    expect(error()).toMatchObject({ _tag: 'InvalidWorkflow' });
  });

  it('counts no node in its progress that will never run', async () => {
    const unused = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`u${at}`, { class_type: 'CheckpointLoaderSimple', inputs: {} }]),
    );
    const { socket, clock, last } = running({}, good, { ...workflow, ...unused });
    expect(last().nodeCount).toBe(2);
    socket().open();
    await clock.advance(0);
    for (const message of [p.start, p.executing('3'), p.executing('9')]) socket().receive(message);
    expect(last().progress).toBe(0.5);
  });

  it('does nothing before it is subscribed to', () => {
    const { context, platform } = jobHarness(good);
    void run(
      context,
      { orphaned: () => undefined, outcomeUnknown: () => undefined, abandon: () => undefined },
      workflow,
    );
    expect(platform.sockets).toHaveLength(0);
  });

  it('errors with the refusal of a submission', async () => {
    const refused = serviceError('BadRequest', { nodeErrors: {}, status: 400 });
    const { socket, clock, error, phases } = running({}, { submit: () => TE.left(refused) });
    socket().open();
    await clock.advance(0);
    expect(error()).toBe(refused);
    expect(phases()).toEqual(['submitting']);
  });

  it('E13: gives a job that two submissions were answered with to the first, and says so to the second', async () => {
    const { context, socket, platform } = jobHarness(good);
    const remembered: string[] = [];
    const hooks = {
      outcomeUnknown: () => undefined,
      orphaned: ({ promptId }: { readonly promptId: string }) => void remembered.push(promptId),
      abandon: () => undefined,
    };
    const [one, other] = [watch(run(context, hooks, workflow)), watch(run(context, hooks, workflow))];
    socket().open();
    await platform.clock.advance(0);
    expect(other.error()).toMatchObject({ _tag: 'OutcomeUnknown', candidates: ['p'] });
    expect(other.phases()).toEqual(['submitting']);
    socket().receive(p.start);
    socket().receive(p.success);
    await platform.clock.advance(0);
    expect(one.last()).toMatchObject({ promptId: 'p', phase: 'completed', outputs });
    expect(one.completed()).toBe(true);
    expect(remembered).toEqual([]);
  });

  it('keeps what the service dropped of the workflow visible', async () => {
    const nodeErrors = { 5: { classType: 'SaveImage', dependentOutputs: ['5'], errors: [] } };
    const { socket, clock, last } = running(
      {},
      { ...good, submit: () => TE.right({ promptId: 'p', nodeErrors }) },
    );
    socket().open();
    await clock.advance(0);
    expect(last()).toMatchObject({ phase: 'pending', nodeErrors });
  });

  it('leaves the job alone when its watcher leaves', async () => {
    const { socket, clock, stop, abandoned, remembered } = running();
    socket().open();
    await clock.advance(0);
    stop();
    await clock.advance(10_000);
    expect(abandoned).toEqual([]);
    expect(remembered).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('asks for the end of the job when its watcher leaves, where that was wished', async () => {
    const { socket, clock, stop, abandoned } = running({ onUnsubscribe: 'cancel' });
    socket().open();
    await clock.advance(0);
    stop();
    expect(abandoned).toEqual(['p']);
  });

  it('does not cancel a job that has ended', async () => {
    const { socket, clock, stop, abandoned, completed } = running({ onUnsubscribe: 'cancel' });
    socket().open();
    await clock.advance(0);
    socket().receive(p.success);
    await clock.advance(0);
    expect(completed()).toBe(true);
    stop();
    expect(abandoned).toEqual([]);
  });

  it.each(['detach', 'cancel'] as const)(
    'remembers a submission that is answered after its watcher left (%s)',
    async (onUnsubscribe) => {
      let answer = (): void => undefined;
      const submit: Rest['submit'] = () => () =>
        new Promise((resolve) => {
          answer = () => resolve({ _tag: 'Right', right: { promptId: 'late', nodeErrors: {} } });
        });
      const { socket, clock, stop, abandoned, remembered } = running({ onUnsubscribe }, { submit });
      socket().open();
      await clock.advance(0);
      stop();
      answer();
      await clock.advance(0);
      expect(remembered).toEqual(['late']);
      expect(abandoned).toEqual(onUnsubscribe === 'cancel' ? ['late'] : []);
    },
  );

  it('errors with Aborted when its signal fires while it watches', async () => {
    const controller = new AbortController();
    const { socket, clock, error } = running({ signal: controller.signal });
    socket().open();
    await clock.advance(0);
    controller.abort();
    expect(error()).toMatchObject({ _tag: 'Aborted', promptId: 'p' });
    await clock.advance(5_000);
    expect(clock.pending()).toBe(0);
  });

  it('errors with Aborted when its signal fires before anything was sent, and sends nothing', async () => {
    const controller = new AbortController();
    const { socket, clock, error } = running({ signal: controller.signal }, {});
    controller.abort();
    expect(error()).toMatchObject({ _tag: 'Aborted', sent: false });
    expect(error()).not.toHaveProperty('promptId');
    socket().open();
    await clock.advance(10_000);
    expect(clock.pending()).toBe(0);
  });

  it('leaves a signal that fires during the request to the request, which knows whether it left', async () => {
    const controller = new AbortController();
    const unknown = serviceError('OutcomeUnknown', { candidates: [], startedAt: 0 });
    const submit: Rest['submit'] = (_, options) => () =>
      new Promise((resolve) =>
        options?.signal?.addEventListener('abort', () => resolve({ _tag: 'Left', left: unknown })),
      );
    const { socket, clock, error } = running({ signal: controller.signal }, { submit });
    socket().open();
    await clock.advance(0);
    controller.abort();
    await clock.advance(0);
    expect(error()).toMatchObject({ _tag: 'OutcomeUnknown' });
  });
});
