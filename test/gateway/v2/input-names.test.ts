import { checkNames } from '../../../src/server/gateway/v2/input-names.js';
import { expect, it } from 'vitest';

const names = (count: number, length = 3): readonly string[] =>
  Array.from({ length: count }, (_, at) => String(at).padStart(length, '0'));

it('a call names up to 250 inputs, each by up to 255 characters', () => {
  for (const taken of [[], names(250), names(1, 255), names(250, 255)])
    expect(checkNames(taken)).toBeUndefined();
  expect(checkNames(names(251))).toMatchObject({ status: 422, code: 'invalid_inputs' });
  expect(checkNames(names(251))?.message).toContain('250');
  expect(checkNames([...names(2), ...names(1, 256)])).toMatchObject({ status: 422, code: 'invalid_inputs' });
  expect(checkNames(names(1, 256))?.message).toContain('255');
});
