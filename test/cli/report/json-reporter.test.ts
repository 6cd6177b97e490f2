import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { documentedKinds, jsonLines } from '../helpers/json-lines.js';
import { events } from '../helpers/events.js';
import { jobState } from '../helpers/job-state.js';
import { jsonLine, jsonOf, jsonReporter } from '../../../src/cli/report/json-reporter.js';
import { serviceError } from '../../../src/node.js';
import { textIn } from '../helpers/text-in.js';

const linesOf = (list: typeof events) =>
  jsonLines(
    list
      .flatMap((event) => jsonOf(event) ?? [])
      .map((json) => `${jsonLine(json)}\n`)
      .join(''),
  );

describe('jsonOf', () => {
  it('makes every kind of docs/cli-output.md, and no other, with the members told there', () => {
    expect([...new Set(linesOf(events).map(({ kind }) => kind))]).toEqual(documentedKinds());
  });

  it('leaves download ticks and announcements to people, and the end of the emulator to its signal', () => {
    expect(events.filter((event) => jsonOf(event) === undefined).map(({ kind }) => kind)).toEqual([
      'existing',
      'skipped',
      'download',
      'cancelling',
    ]);
    expect(jsonOf({ kind: 'end', exit: 'done', stage: 'serve', elapsedMs: 1 })).toBeUndefined();
  });

  it('puts no bytes and no titles into a line', () => {
    expect(linesOf(events).find(({ kind }) => kind === 'preview')).toEqual({
      kind: 'preview',
      promptId: 'p',
      nodeId: '3',
      mediaType: 'image/png',
      bytes: 3,
    });
  });

  it('F24: says of each state whether the outputs are known to be all', () => {
    const told = [false, true].map((outputsComplete) =>
      jsonOf({ kind: 'state', state: jobState([], { outputsComplete }), titles: new Map() }),
    );
    expect(told).toMatchObject([{ outputsComplete: false }, { outputsComplete: true }]);
  });

  it('tells the share, stage and time left of what is shown, and without it the share of the state', () => {
    const state = jobState([], { progress: 0.25, nodeCount: 2, queue: { position: 3 } });
    const known = { kind: 'state', promptId: 'job-1', phase: 'in_progress', nodeCount: 2, nodes: {} };
    expect(linesOf([{ kind: 'state', state, titles: new Map() }])).toEqual([
      { ...known, queue: { position: 3 }, progress: 0.25, outputsComplete: false },
    ]);
    const shown = { value: 0.5, stage: 'loading', timeLeftMs: 5, timeLeftMaxMs: 9 } as const;
    expect(linesOf([{ kind: 'state', state, titles: new Map(), shown }])).toEqual([
      {
        ...{ ...known, queue: { position: 3 }, outputsComplete: false },
        ...{ progress: 0.5, stage: 'loading', timeLeftMs: 5, timeLeftMaxMs: 9 },
      },
    ]);
  });

  it('tells of one job of many its file, its place among them and where it runs', () => {
    const state = { ...jobState([], { progress: 0.25 }), server: 'attic', attempt: 2 };
    expect(linesOf([{ kind: 'batch', file: 'a.json', index: 3, of: 7, state }])).toEqual([
      {
        ...{ kind: 'batch', file: 'a.json', index: 3, server: 'attic', attempt: 2 },
        ...{ promptId: 'job-1', phase: 'in_progress', progress: 0.25, nodes: {}, outputsComplete: false },
      },
    ]);
  });

  it('tells of a queue the jobs without their workflows, and the server where there are several', () => {
    const job = { promptId: 'p', number: 1, createdAt: 5, workflow: { '1': {} }, outputNodeIds: ['1'] };
    const queue = { running: [job], pending: [{ promptId: 'q', number: 2 }] } as never;
    const told = {
      kind: 'queue',
      running: [{ promptId: 'p', number: 1, createdAt: 5 }],
      pending: [{ promptId: 'q', number: 2 }],
    };
    expect(jsonOf({ kind: 'queue', queue })).toEqual(told);
    expect(jsonOf({ kind: 'queue', queue, server: 'attic' })).toEqual({ ...told, server: 'attic' });
    expect(Object.keys(jsonOf({ kind: 'queue', queue }) ?? {})).not.toContain('server');
  });

  it('tells of a class its category, or all of it', () => {
    const info = { input: {}, output: [], output_node: false, name: 'A', category: 'c' };
    const classOf = (whole: boolean) => jsonOf({ kind: 'nodeClass', name: 'A', info, whole });
    expect([classOf(false), classOf(true)]).toEqual([
      { kind: 'nodeClass', name: 'A', category: 'c' },
      { kind: 'nodeClass', name: 'A', info },
    ]);
  });

  it('holds a repaired workflow where no file has it', () => {
    const workflow = { '1': { class_type: 'A', inputs: {} } };
    expect(linesOf([{ kind: 'fixed', fixes: 2, workflow }])).toEqual([{ kind: 'fixed', fixes: 2, workflow }]);
    expect(linesOf([{ kind: 'fixed', fixes: 2, workflow, path: 'a.json' }])).toEqual([
      { kind: 'fixed', fixes: 2, path: 'a.json' },
    ]);
  });

  it('holds of pictures over the socket how large they are', () => {
    const image = { nodeId: '4', index: 0, mediaType: 'image/png' };
    const socketImages = [{ ...image, bytes: Uint8Array.of(1, 2) }, image];
    const shown = (parts: object) =>
      jsonOf({ kind: 'shown', id: 'p', state: { ...jobState([]), plan: {}, ...parts } as never });
    expect(shown({ socketImages })).toMatchObject({
      id: 'p',
      plan: undefined,
      socketImages: [
        { ...image, bytes: 2 },
        { ...image, bytes: undefined },
      ],
    });
    expect(shown({})).toMatchObject({ kind: 'shown', socketImages: undefined });
  });

  it('tells of an error what its tag has', () => {
    const nodeErrors = { '1': { classType: 'A', dependentOutputs: [], errors: [] } };
    const refused = serviceError('BadRequest', { message: 'no', nodeErrors, status: 400 });
    expect(linesOf([{ kind: 'error', error: refused }])).toMatchObject([
      { tag: 'BadRequest', message: 'no', status: 400, retry: 'never', nodeErrors },
    ]);
    const problem = { type: 'value_not_in_list', severity: 'error', message: 'is none of them' } as const;
    const others = [
      serviceError('OutcomeUnknown', { message: 'm', candidates: [], startedAt: 0, keyUsed: true }),
      serviceError('InvalidWorkflow', { message: 'm', format: 'api', problems: [problem] }),
      serviceError('InvalidInputs', { message: 'm', problems: [{ name: 'seed', ...problem }] }),
      serviceError('UnknownNode', { message: 'm', nodeId: 'x', knownNodes: ['y'], nearest: ['y'] }),
      serviceError('UnknownInput', {
        message: 'm',
        nodeId: '1',
        input: 'x',
        knownInputs: ['y'],
        nearest: ['y'],
      }),
      serviceError('AmbiguousNode', { message: 'm', name: 'x', nodeIds: ['1', '2'] }),
    ];
    expect(linesOf(others.map((error) => ({ kind: 'error', error })))).toMatchObject([
      { candidates: [], keyUsed: true },
      { problems: [problem] },
      { problems: [{ name: 'seed', ...problem }] },
      { nearest: ['y'] },
      { nearest: ['y'] },
      { nodeIds: ['1', '2'] },
    ]);
    const late = serviceError('RateLimited', {
      message: 'm',
      status: 429,
      retryAfterMs: 5,
      endpoint: 'GET /x',
    });
    expect(linesOf([{ kind: 'error', error: late }])).toMatchObject([
      { tag: 'RateLimited', message: 'm', status: 429, retryAfterMs: 5, endpoint: 'GET /x' },
    ]);
    expect(linesOf([{ kind: 'error', error: late }])[0]).not.toHaveProperty('nodeErrors');
    expect(linesOf([{ kind: 'error', error: new TypeError('odd') }])).toEqual([
      { kind: 'error', tag: 'TypeError', message: 'odd' },
    ]);
  });

  it('ends with code, name and the way on', () => {
    expect(linesOf(events).at(-1)).toEqual({
      kind: 'end',
      exit: 'SIGINT',
      code: 130,
      promptId: 'p',
      resume: 'promptwire follow p',
      elapsedMs: 12,
    });
  });
});

it('jsonReporter writes a line for each event that a program sees, without secrets', () => {
  const stdout = new PassThrough();
  const reporter = jsonReporter({ stdout }, (text) => text.replaceAll('hush', '[redacted]'));
  reporter.report({ kind: 'warning', message: 'a hush' });
  reporter.report({ kind: 'cancelling', promptId: 'p' });
  reporter.report({ kind: 'interrupted' });
  reporter.close();
  expect(textIn(stdout)).toBe('{"kind":"warning","message":"a [redacted]"}\n{"kind":"interrupted"}\n');
});

describe('jsonLine', () => {
  it('is one line that reads back as the same value', () => {
    const value = { text: 'a\nb\u2028c\u0085d\u202Ee\u009B31m\u007F\uFEFF"\\', list: [1, null, 'é猫👩‍💻'] };
    const line = jsonLine(value);
    expect(JSON.parse(line)).toEqual(value);
    expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202E\uFEFF]/u);
    expect(line).toContain('é猫');
  });

  it('keeps members of objects without a prototype, under any name', () => {
    const nodes = Object.create(null) as Record<string, unknown>;
    nodes['__proto__'] = 1;
    expect(jsonLine({ nodes })).toBe('{"nodes":{"__proto__":1}}');
  });
});
