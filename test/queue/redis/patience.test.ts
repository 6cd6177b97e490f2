import { expect, it } from 'vitest';
import { noPatience, patience } from '../../../src/server/queue/redis/patience.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const refusal = serviceError('Network', {
  ...{ code: 'OOM', sent: false, message: 'Redis takes no writes now: OOM no memory.' },
  cause: new Error('OOM no memory. script: 2f, on @user_script:1.'),
});

/** Calls that fail by these errors one after the other, and then give their number. */
const failing = (...errors: readonly Error[]) => {
  let calls = 0;
  const call = (): Promise<number> => {
    calls += 1;
    const error = errors[calls - 1];
    return error === undefined ? Promise.resolve(calls) : Promise.reject(error);
  };
  return { call, calls: () => calls };
};

const world = () => {
  const [clock, ended, told] = [virtualClock(), new AbortController(), [] as string[]];
  const patient = patience({ clock, ended: ended.signal, refused: (words) => told.push(words) });
  return { clock, ended, told, patient };
};

it('Q9 a call that the server refuses is made again each second, and its words are told each time', async () => {
  const { clock, told, patient } = world();
  const { call, calls } = failing(refusal, refusal);
  const kept = patient(call);
  await clock.advance(999);
  expect([calls(), told]).toEqual([1, ['OOM no memory']]);
  await clock.advance(1);
  expect(calls()).toBe(2);
  await clock.advance(1_000);
  expect([await kept, told, clock.pending()]).toEqual([3, Array(2).fill('OOM no memory'), 0]);
});

it('Q9 a call that fails by anything else is made once, and fails by that', async () => {
  const { clock, told, patient } = world();
  for (const error of [new Error('ERR wrong type'), serviceError('Timeout', { timeoutMs: 1, sent: true })]) {
    const { call, calls } = failing(error);
    await expect(patient(call)).rejects.toBe(error);
    expect(calls()).toBe(1);
  }
  const { call, calls } = failing(refusal, new Error('cut'));
  const failed = expect(patient(call)).rejects.toThrow('cut');
  await clock.advance(1_000);
  await failed;
  expect([calls(), told.length, clock.pending()]).toEqual([2, 1, 0]);
});

it('Q9 a worker that ends gives up with the refusal, also where it has ended before', async () => {
  const { clock, ended, patient } = world();
  const waiting = expect(patient(failing(refusal, refusal).call)).rejects.toBe(refusal);
  await clock.advance(500);
  ended.abort();
  await waiting;
  const late = failing(refusal);
  await expect(patient(late.call)).rejects.toBe(refusal);
  expect([late.calls(), clock.pending()]).toEqual([1, 0]);
  expect(await patient(failing().call)).toBe(1);
});

it('without patience a call is made once, and gives what it gives', async () => {
  expect(await noPatience(failing().call)).toBe(1);
  const { call, calls } = failing(refusal);
  await expect(noPatience(call)).rejects.toBe(refusal);
  expect(calls()).toBe(1);
});
