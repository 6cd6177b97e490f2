import { expect, it } from 'vitest';
import { errorCode } from '../../src/cli/error-code.js';

it('the code of an error is that of the system, as a text', () => {
  const withCode = (code: unknown): Error => Object.assign(new Error('odd'), { code });
  expect([withCode('ENOENT'), withCode(5)].map(errorCode)).toEqual(['ENOENT', '5']);
});

it.each([new Error('odd'), { code: 'ENOENT' }, 'ENOENT', null, undefined])('%o has no code', (error) => {
  expect(errorCode(error)).toBeUndefined();
});
