import { expect, it } from 'vitest';
import { hashFields } from '../../../src/server/queue/redis/redis-commands.js';

const fieldsOf = (answer: () => Promise<unknown>) => {
  const calls: unknown[] = [];
  const send = (...call: readonly unknown[]) => {
    calls.push(call);
    return answer();
  };
  return { calls, fields: hashFields({ send }, 'k') };
};

it('the fields of a hash are names and values in turn, in whichever form a client gives them', async () => {
  const { calls, fields } = fieldsOf(() => Promise.resolve(['a', '1', 'b', '2']));
  expect(await fields).toEqual(['a', '1', 'b', '2']);
  expect(calls).toEqual([['HGETALL', 'k']]);
  expect(await fieldsOf(() => Promise.resolve({ a: '1', b: '2' })).fields).toEqual(['a', '1', 'b', '2']);
});

it('the fields of what is no hash are none, and other errors are the caller’s', async () => {
  const failing = (cause: Error) => fieldsOf(() => Promise.reject(cause)).fields;
  expect(await failing(new Error('WRONGTYPE Operation against a key'))).toEqual([]);
  await expect(failing(new Error('ERR WRONGTYPE'))).rejects.toThrow('ERR WRONGTYPE');
});
