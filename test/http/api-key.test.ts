import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { leftOf } from '../helpers/http-connection.js';
import { readApiKey } from '../../src/core/http/api-key.js';

describe('readApiKey', () => {
  it('A12: takes any printable word and cuts blanks around it', () => {
    expect(readApiKey('comfyui-abc')).toEqual(E.right('comfyui-abc'));
    expect(readApiKey(' k~!"%&\n')).toEqual(E.right('k~!"%&'));
  });

  it.each(['', '  ', 'se cret', 'sec\nret', 'sec\u0000ret', 'sécret', 'sec\u200bret', 5, undefined, null])(
    'A12: refuses %j and does not quote it',
    (key) => {
      const error = leftOf(readApiKey(key, 'partnerKey'));
      expect(error).toMatchObject({ _tag: 'InvalidConfig', option: 'partnerKey' });
      expect(JSON.stringify(error)).not.toMatch(/s.?e?cret/u);
    },
  );
});

it('says which option is refused, and why', () => {
  expect(leftOf(readApiKey(' '))).toMatchObject({ option: 'apiKey', message: 'apiKey is empty.' });
  expect(leftOf(readApiKey('a b')).message).toContain('blanks');
});
