import { describe, expect, it } from 'vitest';
import { documentedKinds, jsonLines } from '../helpers/json-lines.js';
import { events } from '../helpers/events.js';
import { jobState } from '../helpers/job-state.js';
import { jsonLine, jsonOf } from '../../../src/cli/report/json-reporter.js';
import { serviceError } from '../../../src/node.js';

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
