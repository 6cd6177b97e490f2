import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import {
  type HistoryRecord,
  historyEndpoint,
  isEmptyRecord,
  readHistory,
} from '../../src/core/endpoints/history.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const outputs = { '9': { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };

const read = (record: object): HistoryRecord => {
  const result = readHistory({ job: record }, 'job');
  if (E.isLeft(result)) throw new Error(result.left);
  return result.right;
};

const messages = (...ends: readonly unknown[]) => [
  ['execution_start', { prompt_id: 'job', timestamp: 1000 }],
  ['execution_cached', { prompt_id: 'job', nodes: [], timestamp: 1001 }],
  ...ends,
];

describe('historyEndpoint', () => {
  it.each(['history', 'history_v2'] as const)('asks for the record of one job by %s', (route) => {
    expect(historyEndpoint('a/b', route)).toMatchObject({
      method: 'GET',
      path: `/api/${route}/a%2Fb`,
      idempotency: 'always',
      promptId: 'a/b',
    });
    expect(historyEndpoint('a', route).read({ outputs })).toEqual(readHistory({ outputs }, 'a'));
  });

  it.each([
    [{}, 'missing'],
    [{ a: 1 }, undefined],
    [[], undefined],
    [null, undefined],
  ])('takes %j for %s', (json, refusedAs) => {
    expect(historyEndpoint('a', 'history').refusedAs?.(json)).toBe(refusedAs);
  });
});

describe('isEmptyRecord', () => {
  it.each([
    ['NotFound', '{}', true],
    ['NotFound', ' { }\n', true],
    ['NotFound', '{"error": "Job not found"}', false],
    ['NotFound', '{} of a proxy', false],
    ['NotFound', undefined, false],
    ['ServerError', '{}', false],
  ] as const)('of a %s whose body begins with %j is %j', (tag, sample, expected) => {
    expect(isEmptyRecord(serviceError(tag, { ...(sample !== undefined && { sample }) }))).toBe(expected);
  });
});

describe('readHistory', () => {
  it('reads a record under its id', () => {
    const record = {
      prompt: {},
      outputs,
      status: {
        status_str: 'success',
        completed: true,
        messages: messages(['execution_success', { prompt_id: 'job', timestamp: 2000 }]),
      },
    };
    expect(readHistory({ other: { outputs: {} }, job: record }, 'job')).toEqual(
      E.right({
        promptId: 'job',
        outputs,
        phase: 'completed',
        isFinal: true,
        startedAt: 1000,
        endedAt: 2000,
        record,
      }),
    );
  });

  it('reads a record that is the answer itself', () => {
    expect(readHistory({ outputs }, 'job')).toEqual(
      E.right({ promptId: 'job', outputs, isFinal: false, record: { outputs } }),
    );
    expect(Object.keys(read({ outputs })).sort()).toEqual(['isFinal', 'outputs', 'promptId', 'record']);
    expect(readHistory({ status: 'completed' }, 'job')).toMatchObject({ right: { phase: 'completed' } });
    expect(readHistory({ status: { completed: true } }, 'job')).toMatchObject({ right: { isFinal: true } });
    expect(E.isLeft(readHistory({ status: { other: true } }, 'job'))).toBe(true);
    expect(readHistory({ outputs, status: { completed: true } }, 'job')).toMatchObject({
      right: { phase: 'completed' },
    });
    expect(readHistory({ status: { status_str: 'error' } }, 'job')).toMatchObject({
      right: { phase: 'failed' },
    });
    expect(readHistory({ outputs, status: 'completed' }, 'job')).toMatchObject({
      right: { phase: 'completed' },
    });
  });

  it.each([
    { status: null },
    {},
    { status: { status_str: 'running' } },
    { status: { completed: false } },
    { status: 7 },
  ])('knows no end from %j', (about) => {
    const { phase, failure } = read({ outputs, ...about });
    expect([phase, failure]).toEqual([undefined, undefined]);
  });

  it('reads a failed job with its reason', () => {
    const { phase, failure, endedAt } = read({
      outputs: {},
      status: {
        status_str: 'error',
        completed: false,
        messages: messages(
          [
            'execution_error',
            { exception_type: 'ExecutionBlocked', exception_message: 'blocked', node_id: '2' },
          ],
          [
            'execution_error',
            { exception_type: 'ValueError', exception_message: 'boom\n', node_id: '3', timestamp: 3000 },
          ],
        ),
      },
    });
    expect([phase, failure?.exceptionType, failure?.exceptionMessage, failure?.nodeId, endedAt]).toEqual([
      'failed',
      'ValueError',
      'boom',
      '3',
      3000,
    ]);
  });

  it.each([
    ['after the failure', ['ValueError', 'ExecutionBlocked'], 'ValueError'],
    ['alone', ['ExecutionBlocked'], 'Unknown'],
  ])('C10: takes no branch that was left out for the reason, told %s', (_, types, reason) => {
    const told = types.map((exception_type) => ['execution_error', { exception_type }] as const);
    const status = { status_str: 'error', completed: false, messages: messages(...told) };
    expect(read({ outputs: {}, status })).toMatchObject({
      phase: 'failed',
      failure: { exceptionType: reason },
    });
  });

  it('reads the reason out of the error, whatever else is said to have ended the job', () => {
    const ended = messages(['execution_error', { exception_type: 'ValueError' }], ['execution_success', {}]);
    const { failure } = read({ outputs, status: { status_str: 'error', messages: ended } });
    expect(failure?.exceptionType).toBe('ValueError');
  });

  it.each(['success', 'running', undefined])(
    'M4: reads a job whose messages end in an error as failed, though its word is %s',
    (status_str) => {
      const cycle = { exception_type: 'graph.DependencyCycleError', node_id: '2', timestamp: 3000 };
      const status = { status_str, completed: true, messages: messages(['execution_error', cycle]) };
      expect(read({ outputs, status })).toMatchObject({
        phase: 'failed',
        failure: { exceptionType: 'graph.DependencyCycleError', nodeId: '2' },
        isFinal: true,
        endedAt: 3000,
      });
    },
  );

  it('M4: reads a job whose messages end in an interruption as cancelled, though its word is success', () => {
    const status = {
      status_str: 'success',
      completed: true,
      messages: messages(['execution_interrupted', {}]),
    };
    expect(read({ outputs, status })).toMatchObject({ phase: 'cancelled' });
  });

  it('M4: takes no error that was followed by a success for the end of a job', () => {
    const ended = messages(['execution_error', { exception_type: 'ValueError' }], ['execution_success', {}]);
    const status = { status_str: 'success', completed: true, messages: ended };
    expect(read({ outputs, status }).phase).toBe('completed');
  });

  it('reads an interrupted job, which is an error by its word, as cancelled', () => {
    const { phase, failure } = read({
      outputs,
      status: {
        status_str: 'error',
        completed: false,
        messages: messages(['execution_interrupted', { node_id: '3', timestamp: 3000 }]),
      },
    });
    expect([phase, failure]).toEqual(['cancelled', undefined]);
  });

  it.each([
    [true, { status_str: 'success', completed: true, messages: [] }],
    [true, { status_str: 'success', messages: [['execution_success', {}]] }],
    [true, { status_str: 'error', completed: false, messages: [['execution_interrupted', {}]] }],
    [false, { status_str: 'success', completed: false, messages: [['execution_start', {}]] }],
    [false, { status_str: 'error', completed: false, messages: [] }],
    [false, { status_str: 'error', messages: [['execution_error', { exception_type: 'ExecutionBlocked' }]] }],
    [false, null],
    [false, 'completed'],
  ])('F17: says that the record is final (%j) where it tells its own end: %j', (isFinal, status) => {
    expect(read({ outputs, status }).isFinal).toBe(isFinal);
  });

  it('takes a failure without a reason', () => {
    const { phase, failure } = read({
      status: { status_str: 'error', messages: [null, 'x', ['execution_error'], [1, {}]] },
    });
    expect([phase, failure?.exceptionType]).toEqual(['failed', 'Unknown']);
  });

  it('takes a cancelled job that says so', () => {
    expect(read({ status: { status_str: 'cancelled' } }).phase).toBe('cancelled');
  });

  it('leaves out times that are none', () => {
    const record = read({
      status: {
        status_str: 'success',
        messages: [
          ['execution_start', { timestamp: 'noon' }],
          ['execution_success', {}],
        ],
      },
    });
    expect('startedAt' in record || 'endedAt' in record).toBe(false);
  });

  it.each([{}, { other: { outputs } }, { job: null }, { history: [] }])(
    'finds no record of the job in %j',
    (json) => {
      expect(readHistory(json, 'job')).toEqual(E.left('the history has no record of the job'));
    },
  );

  it.each([undefined, null, [], 'text', 3])('refuses %j', (json) => {
    expect(readHistory(json, 'job')).toEqual(E.left('the history is no object'));
  });

  it('finds a job by any id, and none by what every object inherits', () => {
    expect(readHistory(JSON.parse('{"__proto__": {"outputs": {"9": {}}}}'), '__proto__')).toMatchObject({
      right: { outputs: { '9': {} } },
    });
    expect(E.isLeft(readHistory({}, '__proto__'))).toBe(true);
  });
});
