import { describe, expect, it } from 'vitest';
import { render } from '../../src/core/errors/render.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const nodeErrors = {
  '3': {
    classType: 'KSampler',
    dependentOutputs: ['9'],
    errors: [
      {
        type: 'value_smaller_than_min',
        message: 'Value 0 smaller than min of 1',
        details: 'steps',
        extraInfo: { input_name: 'steps' },
      },
      { type: 'required_input_missing', message: '', details: '', extraInfo: {} },
    ],
  },
};

describe('render', () => {
  it('gives message and hint', () => {
    expect(render(serviceError('Closed', {}))).toBe('The client is closed.\nCreate a new client.');
  });

  it('gives one line for each problem of a node, with node, class and input', () => {
    const error = serviceError('BadRequest', { message: 'No.', hint: 'Fix it.', nodeErrors });
    expect(render(error).split('\n')).toEqual([
      'No.',
      '  node 3 (KSampler): input steps: Value 0 smaller than min of 1 – steps',
      '  node 3 (KSampler): required_input_missing',
      'Fix it.',
    ]);
  });

  it('names the prompt', () => {
    expect(render(serviceError('NotFound', { promptId: 'p-1' }))).toContain('\nPrompt id: p-1\n');
  });

  it('shows the exception of a failed job', () => {
    const failure = {
      exceptionType: 'ValueError',
      exceptionMessage: 'boom',
      nodeId: '2',
      nodeType: 'TestRaise',
      traceback: [],
      nodeErrors,
    };
    expect(render(serviceError('JobFailed', { failure }))).toContain(
      '  node 2 (TestRaise): ValueError: boom\n',
    );
    for (const nodeType of [undefined, ''])
      expect(render(serviceError('JobFailed', { failure: { ...failure, nodeType } }))).toContain(
        '  node 2: ValueError: boom\n',
      );
    const bare = { ...failure, nodeId: undefined, nodeType: undefined, nodeErrors: {} };
    for (const nodeId of [undefined, ''])
      expect(render(serviceError('JobFailed', { failure: { ...bare, nodeId } }))).toContain(
        '\n  ValueError: boom\n',
      );
  });

  it('lists candidates of an unknown outcome and the nodes that there are', () => {
    const unknown = serviceError('OutcomeUnknown', { candidates: ['a', 'b'], startedAt: 0 });
    expect(render(unknown)).toContain('  may have become: a\n  may have become: b\n');
    const node = serviceError('UnknownNode', { nodeId: 'x', knownNodes: ['1', '2'] });
    expect(render(node)).toContain('  known nodes: 1, 2\n');
    expect(render(serviceError('UnknownNode', { nodeId: 'x', knownNodes: [] })).split('\n')).toHaveLength(2);
  });

  it('H11: lets no escape sequence and no forged line through, wherever it stands', () => {
    const evil = 'x\u001b]0;t\u0007\u001b[2J\r\nINFO all is well';
    const error = serviceError('BadRequest', {
      message: evil,
      hint: evil,
      promptId: evil,
      nodeErrors: {
        [evil]: {
          classType: evil,
          dependentOutputs: [],
          errors: [{ type: evil, message: evil, details: evil, extraInfo: { input_name: evil } }],
        },
      },
    });
    const text = render(error);
    expect(text.split('\n')).toHaveLength(4);

    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u);
  });
});
