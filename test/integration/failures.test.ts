import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { untilTerminal } from '../../src/core/operators/until-terminal.js';
import { emulated, failing, picture, refusal, slow, submit } from '../helpers/emulated.js';
import { phasesOf } from '../helpers/phases-of.js';

const profiles = ['interface', '2026'] as const;

/** Its sampler is linked to nothing that exists. */
const broken = () => {
  const workflow = picture();
  return { ...workflow, 3: { ...workflow['3']!, inputs: { ...workflow['3']!.inputs, steps: 'many' } } };
};

/** One output is good, the other one lacks its input. */
const halfBroken = () => ({ ...picture(1), 9: { class_type: 'SaveImage', inputs: {} } });

describe('a workflow that does not validate', () => {
  it('is refused at once with what is wrong at which node', async () => {
    const { client } = await emulated({ profile: 'interface' });
    const error = await refusal(client.submit(broken()));
    expect(error).toMatchObject({
      _tag: 'BadRequest',
      status: 400,
      retry: 'never',
      nodeErrors: {
        3: { classType: 'KSampler', errors: [{ details: expect.stringContaining('steps') as string }] },
      },
    });
    await expect(lastValueFrom(client.run(broken()))).rejects.toMatchObject({ _tag: 'BadRequest' });
  });

  it('fails with the same when its turn comes, on newer deployments', async () => {
    const { client } = await emulated({ profile: '2026' });
    const state = await lastValueFrom(client.run(broken()));
    expect(state).toMatchObject({
      phase: 'failed',
      failure: { exceptionType: 'ValidationError', nodeErrors: { 3: { classType: 'KSampler' } } },
    });
  });

  it('in one branch runs the other one, and says which was dropped', async () => {
    const { client } = await emulated({ profile: 'interface' });
    const states = await lastValueFrom(client.run(halfBroken()).pipe(toArray()));
    expect(phasesOf(states)).toEqual(['submitting', 'pending', 'in_progress', 'completed']);
    expect(states.at(-1)).toMatchObject({ nodeErrors: { 9: { classType: 'SaveImage' } } });
    expect(Object.keys(states.at(-1)!.outputs)).toEqual(['10']);
  });
});

describe.each(profiles)('a job of the %s profile that goes wrong', (profile) => {
  it.each([
    'ValidationError',
    'ModelDownloadError',
    'ImageDownloadError',
    'OOMError',
    'InsufficientFundsError',
    'InactiveSubscriptionError',
  ])('ends as a failed state for %s', async (exceptionType) => {
    const { client } = await emulated({ profile });
    const job = await submit(client, failing(exceptionType));
    const failure = { exceptionType, exceptionMessage: 'as ordered', nodeId: '1', nodeType: 'FailOnPurpose' };
    expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'failed', failure });
    expect(await refusal(job.outputs)).toMatchObject({ _tag: 'JobFailed', promptId: job.promptId, failure });
    await expect(lastValueFrom(job.frames.pipe(untilTerminal({ failure: 'error' })))).rejects.toMatchObject({
      _tag: 'JobFailed',
    });
  });

  it('completes with a warning where only a branch was blocked', async () => {
    const { client } = await emulated({ profile });
    const state = await lastValueFrom(
      client.run({
        good: { class_type: 'PreviewText', inputs: { source: 'in nobody’s way' } },
        block: { class_type: 'BlockBranch', inputs: { anything: 1, message: 'not today' } },
        bad: { class_type: 'PreviewText', inputs: { source: ['block', 0] } },
      }),
    );
    expect(state).toMatchObject({ phase: 'completed', outputs: { good: { text: ['in nobody’s way'] } } });
    expect(state.failure).toBeUndefined();
    expect(state.warnings.join()).toContain('not today');
    expect(Object.keys(state.outputs)).toEqual(['good']);
  });

  it('ends by its status where the worker vanished silently', async () => {
    const { client, newClient } = await emulated({ profile, speed: Infinity });
    const { promptId } = await submit(client, picture(1), { extraData: { emulate: { end: 'lost' } } });
    expect(await lastValueFrom(newClient().follow(promptId))).toMatchObject({
      phase: 'failed',
      failure: { exceptionType: 'WorkerLost' },
    });
  });
});

describe.each(profiles)('a submission that the %s profile refuses', (profile) => {
  it.each([
    ['no credits', 'InsufficientCredits', 402],
    ['inactive', 'SubscriptionInactive', profile === '2026' ? 402 : 429],
  ] as const)(
    'E7, E9: for an account with %s is %s, sent into once, until resume()',
    async (billing, tag, status) => {
      const { client, emulator, submissions } = await emulated({ profile, billing });
      expect(await refusal(client.submit(picture()))).toMatchObject({ _tag: tag, status, retry: 'never' });
      await expect(lastValueFrom(client.run(picture()))).rejects.toMatchObject({ _tag: tag });
      expect(submissions()).toHaveLength(1);
      emulator.setBilling('active');
      client.resume();
      expect(await lastValueFrom(client.run(picture(1)))).toMatchObject({ phase: 'completed' });
      expect(submissions()).toHaveLength(2);
    },
  );

  it('is a failed state of its index in runAll, and the others go on', async () => {
    const { client, emulator } = await emulated({ profile });
    emulator.answerOnce('POST', '/api/prompt', {
      status: 400,
      body: JSON.stringify({ error: { type: 'invalid_prompt', message: 'not like this' }, node_errors: {} }),
    });
    const states = await lastValueFrom(
      client.runAll([picture(1), picture(1)], { concurrency: 1 }).pipe(toArray()),
    );
    const ends = [0, 1].map((wanted) => states.findLast(({ index }) => index === wanted)?.state);
    expect(ends).toMatchObject([
      { phase: 'failed', failure: { exceptionType: 'BadRequest' } },
      { phase: 'completed' },
    ]);
  });

  it('E10: for its key is Unauthorized, and the key is in no error', async () => {
    const { newClient } = await emulated({ profile });
    const client = newClient({ apiKey: 'comfyui-wrong-key' });
    const error = await refusal(client.submit(picture()));
    expect(error).toMatchObject({ _tag: 'Unauthorized', status: 401, retry: 'never' });
    expect(JSON.stringify(error) + String(error)).not.toContain('comfyui-wrong-key');
  });

  it('for a full queue is QueueFull, and nothing stops', async () => {
    const { client } = await emulated({ profile, tier: 'standard', speed: 20, switches: { queueLimit: 1 } });
    const [running] = [await submit(client, slow()), await submit(client, slow())];
    expect(await refusal(client.submit(picture()))).toMatchObject({ _tag: 'QueueFull', status: 429 });
    expect((await running.cancel()())._tag).toBe('Right');
  });

  it('E4: with 500 is not repeated, since it may have been accepted', async () => {
    const { client, submissions } = await emulated({ profile });
    const error = await refusal(client.submit(picture(), { extraData: { emulate: { status: 500 } } }));
    expect(error).toMatchObject({ _tag: 'OutcomeUnknown', status: 500, retry: 'unknown outcome' });
    expect(submissions()).toHaveLength(1);
  });
});
