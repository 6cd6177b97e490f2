import { describe, expect, it } from 'vitest';
import { CallScope } from '../../src/core/http/call-scope.js';
import { failureOf } from '../../src/core/http/failure.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const context = {
  endpoint: 'GET /api/queue',
  promptId: 'a',
  timeoutMs: 100,
  redact: (text: string) => text.replaceAll('hush', '…'),
};
const opened = (options: Partial<ConstructorParameters<typeof CallScope>[0]> = {}): CallScope =>
  new CallScope({ clock: virtualClock(), timeoutMs: 100, ...options });
const about = { endpoint: 'GET /api/queue', promptId: 'a' };

describe('failureOf', () => {
  it.each([
    [true, 'unclear'],
    [false, 'unsent'],
  ] as const)('takes a failure that was told over from the platform, sent %s', (sent, delivery) => {
    const cause = { code: 'E-hush', message: `hush ${'x'.repeat(600)}`, sent, hint: 'Do this.' };
    const { error, ...more } = failureOf(cause, opened(), sent ? 'unsent' : 'sent', context);
    expect(more).toEqual({ delivery });
    expect(error).toMatchObject({ ...about, _tag: 'Network', code: 'E-…', sent, hint: 'Do this.' });
    expect(error.message).toBe(`The network failed (E-…): … ${'x'.repeat(497)}…`);
  });

  it.each([
    [undefined],
    [null],
    ['a text'],
    [new Error('any')],
    [{ message: 'm', sent: false }],
    [{ code: 'E', sent: false }],
    [{ code: 'E', message: 'm' }],
    [{ code: 5, message: 'm', sent: false }],
    [{ code: 'E', message: 5, sent: false }],
    [{ code: 'E', message: 'm', sent: 'no' }],
  ])('takes %j for a failure after which the service may have acted', (cause) => {
    const { error, delivery } = failureOf(cause, opened(), 'unsent', context);
    expect(delivery).toBe('unclear');
    expect(error).toMatchObject({ ...about, _tag: 'Network', code: 'EUNKNOWN', sent: true });
    expect(error.message).toBe('The network failed (EUNKNOWN): unknown failure');
  });

  const abort = new AbortController();
  abort.abort();

  it.each([
    ['signal', 'Aborted', true, { sent: true }, 'unclear'],
    ['signal', 'Aborted', false, { sent: false }, 'unsent'],
    ['closed', 'Closed', true, {}, 'unclear'],
    ['closed', 'Closed', false, {}, 'unsent'],
  ] as const)('gives the end by %s as %s, sent %s', (by, tag, sent, more, delivery) => {
    const cause = { code: 'E', message: 'm', sent: !sent };
    const told = failureOf(cause, opened({ [by]: abort.signal }), sent ? 'sent' : 'unsent', context);
    expect(told.delivery).toBe(delivery);
    expect(told.error).toMatchObject({ ...about, _tag: tag, ...more });
  });

  it.each([
    ['of the whole call', Infinity, 100],
    ['of a step', 30, 30],
  ])('gives the time %s that was too short', async (_, patienceMs, timeoutMs) => {
    const clock = virtualClock();
    const scope = opened({ clock, patienceMs });
    scope.patient();
    await clock.advance(100);
    const { error, delivery } = failureOf(undefined, scope, 'sent', context);
    expect(delivery).toBe('unclear');
    expect(error).toMatchObject({ ...about, _tag: 'Timeout', timeoutMs, sent: true });
    expect(error.message).toBe(`No answer came within ${timeoutMs} ms.`);
  });

  it.each([
    ['unsent', 'The request did not leave whole: less than 1 KiB a second of it moved for 100 ms.'],
    ['sent', 'No answer came within 100 ms.'],
    ['answered', 'The answer broke off: less than 1 KiB a second of it came for 100 ms.'],
  ] as const)('N2 says where a call that is %s stopped', async (stage, message) => {
    const clock = virtualClock();
    const scope = opened({ clock });
    scope.patient();
    await clock.advance(100);
    expect(failureOf(undefined, scope, stage, context).error.message).toBe(message);
  });
});
