import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/core/http/rest.js';
import { readFailure } from '../../src/core/state/failure.js';
import { render } from '../../src/core/errors/render.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { errorsOf, refusingStatuses } from '../helpers/every-call.js';
import { httpConnection } from '../helpers/http-connection.js';
import { some } from '../helpers/runs.js';

const hostile = [
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  '\u001b]52;c;AAAA\u0007',
  '\u009b2J\u009d0;x\u009c',
  '\u001bP+q\u001b\\',
  'a\u0000\u0007\u0008b',
  'abc\u202egnp.exe\u2066',
  'one\r\ntwo\nINFO forged\u2028three\u0085four',
  '\u001b',
];
/** What may reach no terminal and no one-line log. */
const dangerous = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u;

describe('text from the service', () => {
  it('H10 H11 reaches no error with terminal escapes, turned text or line breaks', async () => {
    for (const [turn, text] of hostile.entries()) {
      for (const status of some(refusingStatuses, { every: 6, turn })) {
        for (const body of [
          { error: { type: text, message: text, details: text } },
          { message: text, code: text },
          text,
        ]) {
          for (const error of (await errorsOf({ status, body })) as readonly Record<string, unknown>[]) {
            for (const name of ['message', 'hint', 'errorType', 'sample', 'reason']) {
              const text = error[name];
              expect(typeof text === 'string' ? text : '', `${status} ${name}`).not.toMatch(dangerous);
            }
          }
        }
      }
    }
  });

  it('H10 H11 reaches no line for people', () => {
    for (const text of hostile) {
      const nodeErrors = {
        1: {
          classType: text,
          dependentOutputs: [],
          errors: [{ type: text, message: text, details: text, extraInfo: { input_name: text } }],
        },
      };
      const failure = {
        ...readFailure({ exception_type: text, exception_message: text, node_id: text, traceback: [text] }),
        nodeErrors,
      };
      for (const error of [
        serviceError('JobFailed', { failure, message: text, hint: text, promptId: text }),
        serviceError('BadRequest', { nodeErrors, message: text }),
        serviceError('OutcomeUnknown', { candidates: [text], startedAt: 0 }),
        serviceError('UnknownNode', { nodeId: text, knownNodes: [text] }),
      ]) {
        for (const line of render(error).split('\n')) expect(line).not.toMatch(dangerous);
      }
    }
  });

  it('H10 names the file of a failed download without them', async () => {
    for (const text of hostile) {
      const rest = createRest(httpConnection(fakePlatform(() => ({ status: 400 }))));
      const result = await rest.view({ filename: text })();
      expect(E.isLeft(result) && result.left.message).not.toMatch(dangerous);
    }
  });

  it('H12 is cut at 64 Ki characters in a failure, the end of its traceback kept', () => {
    const line = `${'x'.repeat(99)}\n`;
    const failure = readFailure({
      exception_type: 'E',
      exception_message: 'm'.repeat(10_000_000),
      traceback: [...new Array<string>(100_000).fill(line), 'the cause'],
    });
    expect(failure.exceptionMessage).toHaveLength(65_536);
    expect(failure.traceback.join('').length).toBeLessThanOrEqual(65_537);
    expect([failure.traceback[0], failure.traceback.at(-1)]).toEqual(['…', 'the cause']);
    const one = readFailure({
      exception_type: 'E',
      exception_message: '',
      traceback: 'y'.repeat(10_000_000),
    });
    expect(one.traceback.join('')).toHaveLength(65_536);
    expect(readFailure('z'.repeat(10_000_000)).exceptionMessage).toHaveLength(65_536);
    expect(render(serviceError('JobFailed', { failure })).length).toBeLessThan(10_000);
  });

  it('H12 is read up to 64 KiB of a refusal, and kept to 500 characters', async () => {
    for (const error of (await errorsOf({ status: 400, body: 'x'.repeat(10_000_000) })) as readonly Error[]) {
      expect(JSON.stringify(error).length).toBeLessThan(3_000);
    }
  });
});
