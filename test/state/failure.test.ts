import { describe, expect, it } from 'vitest';
import { failureByWord, readFailure, failureDetail, unknownFailure } from '../../src/core/state/failure.js';

const refusal = {
  error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' },
  node_errors: {
    '3': {
      class_type: 'KSampler',
      dependent_outputs: ['9'],
      errors: [{ type: 'value_not_in_list', message: 'Value not in list', details: 'sampler' }],
    },
  },
};

describe('readFailure', () => {
  it('reads the data of execution_error', () => {
    expect(
      readFailure({
        prompt_id: 'job',
        exception_type: 'ValueError',
        exception_message: 'boom\n',
        node_id: '3',
        node_type: 'KSampler',
        traceback: ['one\n', 'two\n'],
        current_inputs: {},
      }),
    ).toEqual({
      exceptionType: 'ValueError',
      exceptionMessage: 'boom',
      nodeId: '3',
      nodeType: 'KSampler',
      traceback: ['one\n', 'two\n'],
      nodeErrors: {},
    });
  });

  it.each([
    [{ node_id: null, node_type: null, traceback: null }],
    [{ node_id: '', node_type: '', traceback: [] }],
    [{}],
    [{ node_id: {}, traceback: [1, null] }],
  ])('names no node where the failure came before any: %j', (about) => {
    const failure = readFailure({
      exception_type: 'DispatcherError',
      exception_message: 'no worker',
      ...about,
    });
    expect(Object.keys(failure)).toEqual(['exceptionType', 'exceptionMessage', 'traceback', 'nodeErrors']);
    expect(failure).toEqual({
      exceptionType: 'DispatcherError',
      exceptionMessage: 'no worker',
      traceback: [],
      nodeErrors: {},
    });
  });

  it('takes a node id that is a number, and a traceback that is one text', () => {
    const failure = readFailure({
      exception_type: 'E',
      exception_message: '',
      node_id: 7,
      traceback: 'lines',
    });
    expect([failure.nodeId, failure.traceback]).toEqual(['7', ['lines']]);
  });

  it.each([
    ['\n', ''],
    ['boom\r\n', 'boom'],
    ['boom\n\n', 'boom\n'],
    ['one\ntwo\n', 'one\ntwo'],
    ['one\ntwo', 'one\ntwo'],
    [' boom ', ' boom '],
  ])('takes one line break off the end of %j', (sent, read) => {
    expect(readFailure({ exception_type: 'E', exception_message: sent }).exceptionMessage).toBe(read);
  });

  it.each([
    [{ exception_type: 'E' }, ['E', '']],
    [{ exception_message: 'boom' }, ['Unknown', 'boom']],
  ])('takes %j for a reason, one member or the other', (reported, expected) => {
    const { exceptionType, exceptionMessage } = readFailure(reported);
    expect([exceptionType, exceptionMessage]).toEqual(expected);
  });

  const kibi = 'x'.repeat(1024);
  it.each([
    ['as it is', 64, kibi.repeat(64)],
    ['cut to it', 65, `${kibi.repeat(63)}${kibi.slice(1)}…`],
  ])('H12: gives a message of 64 Ki characters %s (%d Ki)', (_, times, expected) => {
    const sent = kibi.repeat(times);
    expect(readFailure({ exception_type: 'E', exception_message: sent }).exceptionMessage).toBe(expected);
    expect(readFailure(sent).exceptionMessage).toBe(expected);
  });

  it.each([
    ['whole', Array<string>(64).fill(kibi), Array<string>(64).fill(kibi)],
    [
      'from the line that fits',
      ['first', ...Array<string>(64).fill(kibi)],
      ['…', ...Array<string>(64).fill(kibi)],
    ],
    ['without lines that do not fit', [kibi.repeat(64), 'end'], ['…', 'end']],
    ['in its last line', ['first', `y${kibi.repeat(64)}`], [`…${kibi.repeat(64).slice(1)}`]],
    ['though it is empty', [], []],
  ])('H12: keeps the end of a long traceback, %s', (_, traceback, expected) => {
    expect(readFailure({ exception_type: 'E', traceback }).traceback).toEqual(expected);
  });

  it('finds the refusal of a validation within the message', () => {
    const failure = readFailure({
      exception_type: 'ValidationError',
      exception_message: `Job validation failed: ${JSON.stringify(refusal)}\n`,
    });
    expect(failure.exceptionType).toBe('ValidationError');
    expect(failure.nodeErrors['3']).toEqual({
      classType: 'KSampler',
      dependentOutputs: ['9'],
      errors: [
        { type: 'value_not_in_list', message: 'Value not in list', details: 'sampler', extraInfo: {} },
      ],
    });
  });

  it.each(['a {b} c', '} {', '{', 'set {"node": 1}', '{"node_errors": 3}'])(
    'finds no node errors in the message %j',
    (message) => {
      const failure = readFailure({ exception_type: 'E', exception_message: message });
      expect([failure.exceptionMessage, Object.keys(failure.nodeErrors)]).toEqual([message, []]);
    },
  );

  it('reads the error message of a status that is JSON text', () => {
    const reported = {
      exception_type: 'OOMError',
      exception_message: 'out of memory\n',
      node_id: '3',
      traceback: ['t'],
    };
    expect(readFailure(` ${JSON.stringify(reported)}\n`)).toEqual(readFailure(reported));
  });

  it('reads the error message of a status that holds a refusal', () => {
    for (const text of [JSON.stringify(refusal), `Refused: ${JSON.stringify(refusal)}`]) {
      const failure = readFailure(text);
      expect([failure.exceptionType, failure.exceptionMessage]).toEqual(['ValidationError', text]);
      expect(Object.keys(failure.nodeErrors)).toEqual(['3']);
    }
  });

  it.each([
    ['its node errors alone', { node_errors: refusal.node_errors }, ['3']],
    ['its error alone', { error: refusal.error }, []],
  ])('finds a refusal by %s, in the middle of a sentence', (_, body, nodes) => {
    const failure = readFailure(`Refused: ${JSON.stringify(body)}.`);
    expect([failure.exceptionType, Object.keys(failure.nodeErrors)]).toEqual(['ValidationError', nodes]);
  });

  it.each(['set {"node": 1}', 'said {"exception_type": "E"}', '{"exception_type": "E"'])(
    'takes %j for the text that it is',
    (reported) => {
      const { exceptionType, exceptionMessage } = readFailure(reported);
      expect([exceptionType, exceptionMessage]).toEqual(['Unknown', reported]);
    },
  );

  it('reads the error message of a status that is plain text', () => {
    expect(readFailure('The worker is gone.\n')).toEqual({
      exceptionType: 'Unknown',
      exceptionMessage: 'The worker is gone.',
      traceback: [],
      nodeErrors: {},
    });
  });

  it.each([undefined, null, '', ' \n', 7, [], {}, { message: 'x' }])(
    'makes a failure of %j all the same',
    (reported) => {
      expect(readFailure(reported)).toEqual({
        exceptionType: 'Unknown',
        exceptionMessage: 'The service gave no reason.',
        traceback: [],
        nodeErrors: {},
      });
    },
  );
});

describe('failureDetail', () => {
  it.each([
    ['nothing', unknownFailure()],
    ['a word', failureByWord('lost')],
  ])('F20: %s is no reason', (_, failure) => {
    expect(failureDetail(failure)).toBe(0);
  });

  it('F20: the node says more than the exception alone, that more than a text, that more than nothing', () => {
    const reported = [
      undefined,
      'The worker is gone.',
      { exception_type: 'OOMError', exception_message: 'no room' },
      { exception_type: 'OOMError', exception_message: 'no room', node_id: '3' },
    ];
    const reasons = reported.map(readFailure).map(failureDetail);
    expect(reasons).toEqual(reasons.toSorted((one, other) => one - other));
    expect(new Set(reasons).size).toBe(reported.length);
  });

  it('tells the word', () => {
    expect(failureByWord('lost').exceptionMessage).toBe('The service ended the job as "lost".');
  });
});
