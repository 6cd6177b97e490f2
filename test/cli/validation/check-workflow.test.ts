import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { join } from 'node:path';
import { knownDefinitions, refuseErrors, refuseTargets } from '../../../src/cli/validation/check-workflow.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { serviceError } from '../../../src/core/errors/service-error.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import type { Session } from '../../../src/cli/run-command.js';
import { tmpdir } from 'node:os';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-checks-'));
});
afterEach(() => rm(folder, { recursive: true }));

const classOf = (name: string, choices: readonly string[], isOutput = true) => ({
  ...{
    name,
    display_name: name,
    category: 'test',
    input: { required: { model: [choices] }, optional: { seed: ['INT'] } },
  },
  ...{ output: [], output_node: isOutput },
});
/** What the service answers when it is asked for its classes. */
type Answer = Readonly<Record<string, object>> | ServiceError;

/** A command whose service gives these classes or errors, one after the other; and what it asked and reported. */
const commandAt = (...answers: readonly Answer[]) => {
  const left = [...answers];
  const reports: Readonly<Record<string, unknown>>[] = [];
  const answer = () => {
    const next = left.shift();
    if (next === undefined) throw new Error('the service is asked once more');
    return Promise.resolve(next instanceof Error ? E.left(next) : E.right(next));
  };
  const nodeReplacements = () => () => Promise.resolve(E.left(serviceError('Closed', {})));
  const session = {
    io: { env: { PROMPTWIRE_STATE_DIR: folder } },
    settings: () => Promise.resolve({ dialect: 'local', baseUrl: 'http://127.0.0.1:1' }),
    connect: () => Promise.resolve({ rest: { objectInfo: () => answer, nodeReplacements } }),
    ...{ stop: new AbortController().signal, report: (event: never) => reports.push(event) },
  } as unknown as Session;
  return { session, reports, left };
};

const workflowOf = (...models: readonly string[]): Workflow =>
  Object.fromEntries(
    models.map((model, at) => [`${at + 1}`, { class_type: 'Load', inputs: { model } }] as const),
  );
const check = async (session: Session, workflow: Workflow) =>
  refuseErrors(session, { workflow, given: workflow, settings: [], uploads: [] }).then(
    () => 'passes',
    (error: unknown) => error as ServiceError,
  );

const now = { Load: classOf('Load', ['a', 'b']) };

describe('a workflow before its submission', () => {
  it.each([
    ['one error', workflowOf('a', 'old')],
    ['2 errors', workflowOf('old', 'old', 'a')],
  ])('is refused with all that is wrong, for %s', async (count, workflow) => {
    const { session, reports } = commandAt(now);
    const error = await check(session, workflow);
    expect(error).toMatchObject({
      ...{ _tag: 'InvalidWorkflow', format: 'api' },
      message: `The service would refuse the workflow or a part of it, for ${count}.`,
      problems: reports.map(({ problem }) => problem),
    });
  });

  it('is refused by the classes that the service has now, also where some of what is found is no error', async () => {
    const before = { Load: classOf('Load', ['a']) };
    // The engine reads a text as a number, which is a warning.
    const workflow = {
      ...workflowOf('a', 'b'),
      3: { class_type: 'Load', inputs: { model: 'a', seed: '5' } },
    };
    expect(await check(commandAt(before).session, workflowOf('a'))).toBe('passes');
    const later = commandAt(now);
    expect([await check(later.session, workflow), later.left]).toEqual(['passes', []]);
    // What passes is not asked for again.
    expect(await check(commandAt().session, workflowOf('b'))).toBe('passes');
  });

  it('is refused with those of its targets that are no output nodes, where files would be sent before it', async () => {
    const classes = { ...now, Idle: classOf('Idle', ['a'], false) };
    const workflow = { ...workflowOf('a'), 2: { class_type: 'Idle', inputs: { model: 'a' } } };
    const uploads = [{ nodeId: '1', input: 'model' }];
    const refused = (targets: readonly string[], more: object = {}, known: Answer = classes) =>
      refuseTargets(commandAt(known).session, { workflow, uploads }, { targets, ...more });
    await expect(refused(['1', '2'])).rejects.toThrow('--target 2 names no output node');
    await refused(['1']);
    // Another one of many servers may know what this one does not.
    await expect(refused(['none'])).rejects.toThrow('--target none names no output node');
    await refused(['none'], { isOneOfMany: true });
    // It has become an output node since.
    await refused(['2'], {}, { ...now, Idle: classOf('Idle', ['a']) });
  });
});

it('node classes that an earlier command fetched are not asked for again', async () => {
  expect(await knownDefinitions(commandAt(now).session)).toEqual(now);
  expect(await knownDefinitions(commandAt().session)).toEqual(now);
});

describe('node classes that can’t be fetched', () => {
  const warningsOf = async (error: ServiceError) => {
    const { session, reports } = commandAt(error);
    expect(await knownDefinitions(session)).toBeUndefined();
    return reports.length;
  };

  it('are a warning, once of a service that has none and each time of one that fails', async () => {
    const none = serviceError('NotSupported', { message: 'It has none.', operation: 'objectInfo' } as never);
    const failed = serviceError('Closed', { message: 'It failed.' });
    expect([await warningsOf(failed), await warningsOf(failed)]).toEqual([1, 1]);
    expect([await warningsOf(none), await warningsOf(none), await warningsOf(failed)]).toEqual([1, 0, 1]);
  });
});
