import { expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { sendSubmission } from '../../src/core/http/send-submission.js';
import type { SubmitOptions } from '../../src/core/http/rest-options.js';

const sent = async (seed: number | bigint, answer: FakeAnswer, options: SubmitOptions = {}) => {
  const platform = fakePlatform(() => answer);
  const workflow = { 1: { class_type: 'A', inputs: { seed } } };
  const result = await sendSubmission(httpConnection(platform), workflow, options)();
  return { result, asked: platform.requests.length };
};
const taken: FakeAnswer = { body: { prompt_id: 'p', number: 1, node_errors: {} } };

it('a submission tells of integers that may have been rounded before it was sent, and of no other', async () => {
  const { problems } = rightOf((await sent(2 ** 60, taken)).result);
  expect(problems).toMatchObject([{ nodeId: '1', input: 'seed' }]);
  expect(rightOf((await sent(2 ** 60, taken)).result).promptId).toBe('p');
  for (const seed of [7, Number.MAX_SAFE_INTEGER, 2n ** 64n - 1n])
    expect(rightOf((await sent(seed, taken)).result)).not.toHaveProperty('problems');
});

it('a submission is refused as the service says, whatever its integers are', async () => {
  for (const seed of [7, 2 ** 60])
    expect(leftOf((await sent(seed, { status: 400, body: { error: 'No.' } })).result)).toMatchObject({
      ...{ _tag: 'BadRequest', status: 400 },
    });
});

it('nothing is sent of a submission that can’t be', async () => {
  const { result, asked } = await sent(2 ** 60, taken, { extraData: { api_key_comfy_org: 'k' } });
  expect([leftOf(result), asked]).toMatchObject([{ _tag: 'InvalidConfig', option: 'extraData' }, 0]);
});
