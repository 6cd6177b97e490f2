import { describe, expect, it } from 'vitest';
import { jsonLine } from '../../../src/cli/report/json-line.js';
import { jsonOf } from '../../../src/cli/report/json-of.js';
import { serviceError } from '../../../src/node.js';
import { events } from '../helpers/events.js';
import { jobState } from '../helpers/job-state.js';
import { documentedKinds, jsonLines } from '../helpers/json-lines.js';

const linesOf = (list: typeof events) =>
  jsonLines(
    list
      .flatMap((event) => jsonOf(event) ?? [])
      .map((json) => `${jsonLine(json)}\n`)
      .join(''),
  );

describe('jsonOf', () => {
  it('makes every kind of docs/cli.md, and no other, with the members told there', () => {
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
