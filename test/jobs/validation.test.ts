import { parseExactJson } from '../../src/core/protocol/json/exact-json.js';
import type { Problem } from '../../src/core/protocol/problem.js';
import { accept, type Accepted } from '../../src/client/jobs/accept.js';
import { answers } from '../helpers/fake-rest.js';
import { definitions, picture } from '../workflow/validate/definitions.js';
import { describe, expect, it } from 'vitest';
import { jobHarness } from '../helpers/job-harness.js';
import type { ObjectInfo } from '../../src/core/endpoints/object-info.js';
import { runAll } from '../../src/client/jobs/run-all.js';
import { run } from '../../src/client/jobs/run.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import type { ValidateMode } from '../../src/client/jobs/validation.js';
import { validation } from '../../src/client/jobs/validation.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const classes = definitions as ObjectInfo;
const good: Workflow = picture();
const bad: Workflow = { ...good, '3': { class_type: 'Sampler', inputs: { ...good['3']?.inputs, steps: 0 } } };
const typo: Workflow = { ...good, '9': { class_type: 'Save', inputs: { images: ['8', 0], perfix: 'a' } } };
const unreachable = serviceError('Network', {
  code: 'ECONNRESET',
  sent: true,
  message: 'The network failed.',
});

/** A client's surroundings whose service gives these classes, one answer after the other, and accepts every workflow. */
const service = (...list: readonly (ObjectInfo | ServiceError)[]) => {
  const info = answers<ObjectInfo>(...list);
  const submitted: Workflow[] = [];
  const harness = jobHarness({
    objectInfo: info.call,
    submit: (workflow) => () => {
      submitted.push(workflow);
      return Promise.resolve({
        _tag: 'Right',
        right: { promptId: `job-${submitted.length}`, nodeErrors: {} },
      });
    },
  });
  const submit = (workflow: Workflow, validate?: ValidateMode, signal?: AbortSignal) => {
    let accepted: Accepted | undefined;
    let error: unknown;
    const subscription = accept(harness.context, workflow, { validate, signal }).subscribe({
      next: (value) => (accepted = value),
      error: (problem: unknown) => (error = problem),
    });
    return { subscription, accepted: () => accepted, error: () => error };
  };
  /** Gives the validator, the classes and the socket the time to come. */
  const settle = async (): Promise<void> => {
    await import('../../src/client/jobs/validation.js');
    await harness.platform.clock.advance(0);
    harness.platform.sockets.at(-1)?.open();
    await harness.platform.clock.advance(0);
  };
  const outcome = async (workflow: Workflow, validate?: ValidateMode) => {
    const submission = submit(workflow, validate);
    await settle();
    return submission.error() ?? submission.accepted()?.problems;
  };
  return { ...harness, submit, settle, outcome, submitted, fetches: info.count };
};

describe('validate', () => {
  it('is off by default, and fetches nothing then', async () => {
    const { outcome, submitted, fetches } = service(classes);
    await outcome(bad);
    expect([submitted.length, fetches()]).toEqual([1, 0]);
  });

  it('M9: strict sends what a class of another package may take', async () => {
    const sampler = { ...classes['Sampler']!, python_module: 'custom_nodes.a-pack' };
    const { outcome, submitted } = service({ ...classes, Sampler: sampler });
    expect(await outcome(bad, 'strict')).toMatchObject([
      { type: 'value_smaller_than_min', serverOnly: true },
    ]);
    expect(submitted).toHaveLength(1);
  });

  it('strict refuses no model that the account has imported, and a service lists only where it is asked', async () => {
    const loader = (models: readonly string[]) => ({
      ...classes,
      Loader: { ...classes['Loader']!, input: { required: { ckpt_name: [models] } } },
    });
    const asked: unknown[] = [];
    const check = validation(
      {
        nodeReplacements: () => () => Promise.resolve({ _tag: 'Right', right: {} }),
        objectInfo: (options) => () => {
          asked.push(options?.userModels);
          return Promise.resolve({
            _tag: 'Right',
            right: loader(options?.userModels === true ? ['own'] : []),
          });
        },
      },
      (value) => value,
    );
    const workflow = { ...good, '4': { class_type: 'Loader', inputs: { ckpt_name: 'own' } } };
    expect(await check(workflow, 'strict')).toEqual({ _tag: 'Right', right: [] });
    expect(
      await check({ ...workflow, '4': { class_type: 'Loader', inputs: { ckpt_name: 'none' } } }, 'strict'),
    ).toMatchObject({
      _tag: 'Left',
      left: { problems: [{ type: 'value_not_in_list', nodeId: '4' }] },
    });
    expect(asked).toEqual([true, true]);
  });

  it('strict refuses no class that the service replaces, and asks once which', async () => {
    const old = { ...good, '9': { class_type: 'OldSave', inputs: { pictures: ['8', 0] } } };
    const mapping = { new_id: 'images', old_id: 'pictures' };
    const table = { OldSave: [{ new_node_id: 'Save', input_mapping: [mapping] }] };
    let asked = 0;
    const check = validation(
      {
        objectInfo: () => () => Promise.resolve({ _tag: 'Right', right: classes }),
        nodeReplacements: () => () => {
          asked += 1;
          return Promise.resolve({ _tag: 'Right', right: table });
        },
      },
      (value) => value,
    );
    expect(await check(good, 'strict')).toEqual({ _tag: 'Right', right: [] });
    expect(asked).toBe(0);
    for (let job = 0; job < 3; job += 1)
      expect(await check(old, 'strict', ['9'])).toEqual({ _tag: 'Right', right: [] });
    expect(asked).toBe(1);
    const lacking = { ...old, '9': { class_type: 'OldSave', inputs: {} } };
    expect(await check(lacking, 'strict')).toMatchObject({
      left: { _tag: 'InvalidWorkflow', problems: [{ nodeId: '9', type: 'invalid_prompt' }] },
    });
    const unknown = { ...old, '9': { class_type: 'Other', inputs: {} } };
    expect(await check(unknown, 'strict', ['9'])).toMatchObject({ left: { option: 'targets' } });
  });

  it('fetches the node classes once for all submissions', async () => {
    const { submit, settle, submitted, fetches } = service(classes);
    expect(fetches()).toBe(0);
    const jobs = [submit(good, 'strict'), submit(good, 'warn'), submit(typo, 'strict')];
    await settle();
    expect(jobs.map(({ accepted }) => accepted()?.problems?.map(({ type }) => type))).toEqual([
      [],
      [],
      ['unknown_input'],
    ]);
    expect([submitted.length, fetches()]).toEqual([3, 1]);
  });

  it('keeps the node classes for later submissions', async () => {
    const { outcome, fetches } = service(classes);
    for (let job = 0; job < 3; job += 1) expect(await outcome(good, 'strict')).toEqual([]);
    expect(fetches()).toBe(1);
  });

  it('strict names the first error, and how many there are', async () => {
    const inputs = { ...good['3']?.inputs, sed: 1, steps: 0, cfg: 99 };
    const { outcome } = service(classes);
    expect(await outcome({ ...typo, '3': { class_type: 'Sampler', inputs } }, 'strict')).toMatchObject({
      message: 'Node 3 (Sampler): steps is 0, below its minimum of 1. (and 1 more)',
    });
    const gone = { '1': { class_type: 'LoadImage', inputs: { image: 'gone.png' } }, ...bad };
    const save = { class_type: 'Save', inputs: { images: ['1', 0] } };
    expect(await outcome({ ...gone, save }, 'strict')).toMatchObject({
      message: 'Node 3 (Sampler): steps is 0, below its minimum of 1.',
      problems: { 0: { nodeId: '1', severity: 'warning' } },
    });
  });

  it('strict sends nothing that has an error', async () => {
    const { outcome, submitted, platform } = service(classes);
    expect(await outcome(bad, 'strict')).toMatchObject({
      _tag: 'InvalidWorkflow',
      format: 'api',
      message: 'Node 3 (Sampler): steps is 0, below its minimum of 1.',
      problems: [{ nodeId: '3', input: 'steps', type: 'value_smaller_than_min', fix: 1 }],
    });
    expect(submitted).toEqual([]);
    expect(platform.sockets).toEqual([]);
  });

  it('strict sends what only the server can refuse, says so, and fetches the classes for it once', async () => {
    const loader = { class_type: 'Loader', inputs: { ckpt_name: 'new.safetensors' } };
    const { outcome, submitted, fetches } = service(classes);
    for (let job = 0; job < 2; job += 1)
      expect(await outcome({ ...good, '4': loader }, 'strict')).toMatchObject([
        { nodeId: '4', type: 'value_not_in_list', severity: 'error', serverOnly: true },
      ]);
    expect([submitted.length, fetches()]).toEqual([2, 1]);
    expect(await outcome({ ...bad, '4': loader }, 'strict')).toMatchObject({
      message: 'Node 3 (Sampler): steps is 0, below its minimum of 1.',
      problems: { length: 2 },
    });
  });

  it('warn sends it, and says what is wrong', async () => {
    const { outcome, submitted } = service(classes);
    expect(await outcome(bad, 'warn')).toMatchObject([{ type: 'value_smaller_than_min' }]);
    expect(submitted).toEqual([bad]);
  });

  it('fetches the classes again before it blocks by older ones, and once for all that wait', async () => {
    const { outcome, submit, settle, submitted, fetches } = service({}, classes);
    expect(await outcome(good, 'strict')).toMatchObject({ _tag: 'InvalidWorkflow' });
    expect(fetches()).toBe(1);
    const both = [submit(good, 'strict'), submit(good, 'strict')];
    await settle();
    expect(both.map(({ accepted }) => accepted()?.problems)).toEqual([[], []]);
    expect([submitted.length, fetches()]).toEqual([2, 2]);
  });

  it('strict gives the error of the fetch, and fetches again the next time', async () => {
    const { outcome, submitted, fetches } = service(unreachable, classes);
    expect(await outcome(good, 'strict')).toBe(unreachable);
    expect(submitted).toEqual([]);
    expect(await outcome(good, 'strict')).toEqual([]);
    expect(fetches()).toBe(2);
  });

  it('warn goes on without a check where the classes can not be fetched', async () => {
    const { outcome, submitted } = service(unreachable);
    expect(await outcome(bad, 'warn')).toMatchObject([{ type: 'not_validated', severity: 'warning' }]);
    expect(submitted).toHaveLength(1);
  });

  it('sends the workflow as it was when the submission began', async () => {
    const { submit, settle, submitted } = service(classes);
    const workflow = structuredClone<object>(good) as { '3': { inputs: Record<string, unknown> } };
    submit(workflow as unknown as Workflow, 'strict');
    workflow['3'].inputs['steps'] = 0;
    await settle();
    expect(submitted).toEqual([good]);
  });

  it('sends nothing once its subscriber has left, its signal has fired, or the client drains', async () => {
    const { submit, settle, submitted, context } = service(classes);
    submit(good, 'strict').subscription.unsubscribe();
    const abort = new AbortController();
    const aborted = submit(good, 'strict', abort.signal);
    abort.abort();
    const drained = submit(good, 'strict');
    void context.work.drain();
    await settle();
    expect(aborted.error()).toMatchObject({ _tag: 'Aborted', sent: false });
    expect(drained.error()).toMatchObject({ _tag: 'Draining' });
    expect(submitted).toEqual([]);
  });

  it('refuses another word', async () => {
    const { outcome, submitted } = service(classes);
    expect(await outcome(good, 'stict' as ValidateMode)).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'validate',
    });
    expect(submitted).toEqual([]);
  });

  it('removes secrets from what it found', async () => {
    const { call } = answers<ObjectInfo>(classes);
    const validate = validation(
      { objectInfo: call, nodeReplacements: () => () => Promise.resolve({ _tag: 'Right', right: {} }) },
      (value) => JSON.parse(JSON.stringify(value).replaceAll('secret', '…')) as typeof value,
    );
    const leaking: Workflow = {
      ...good,
      '3': { class_type: 'Sampler', inputs: { ...good['3']?.inputs, steps: 'secret' } },
    };
    expect(JSON.stringify(await validate(leaking, 'warn'))).not.toContain('secret');
  });
});

describe('the states of a job', () => {
  const hooks = { orphaned: () => undefined, outcomeUnknown: () => undefined, abandon: () => undefined };

  it.each([undefined, 'off', 'warn'] as const)(
    'N5 warn of an integer that may have been rounded, with validate: %s',
    async (mode) => {
      const { outcome, submitted } = service(classes);
      const text = '{"3":{"class_type":"Odd","inputs":{"seed":18446744073709551615,"steps":20}}}';
      const rounded = JSON.parse(text) as Workflow;
      const found = (await outcome(rounded, mode)) as readonly Problem[];
      expect(found.filter(({ type }) => type === 'rounded_integer')).toMatchObject([
        { nodeId: '3', input: 'seed', severity: 'warning' },
      ]);
      const exact = (await outcome(parseExactJson(text) as Workflow, 'off')) as unknown;
      expect(exact).toBeUndefined();
      expect(submitted).toHaveLength(2);
    },
  );

  it('carry what the check found', async () => {
    const { context, settle } = service(classes);
    const problems: unknown[] = [];
    run(context, hooks, typo, { validate: 'warn' }).subscribe(({ phase, problems: found }) =>
      problems.push([phase, found?.map(({ input, suggestion }) => [input, suggestion])]),
    );
    await settle();
    expect(problems).toEqual([
      ['submitting', undefined],
      ['pending', [['perfix', 'prefix']]],
    ]);
  });

  it('of many jobs say why one was not sent', async () => {
    const { context, settle, submitted } = service(classes);
    const ends: unknown[] = [];
    runAll(
      (workflow) => run(context, hooks, workflow, { validate: 'strict' }),
      context.work,
      [bad],
      {},
    ).subscribe(({ state }) =>
      ends.push([state.phase, state.failure?.exceptionType, state.problems?.length]),
    );
    await settle();
    expect(ends.at(-1)).toEqual(['failed', 'InvalidWorkflow', 1]);
    expect(submitted).toEqual([]);
  });
});
