import { clearTextRefusal } from '../../src/core/http/clear-text.js';
import { expect, it } from 'vitest';

it('a secret is refused that an option would send over a network in clear text, and no other', () => {
  expect(clearTextRefusal({ clearText: undefined }, 'the key')).toBeUndefined();
  expect(clearTextRefusal({ clearText: 'wsUrl' }, 'the key')).toMatchObject({
    ...{ _tag: 'InvalidConfig', option: 'wsUrl' },
    message: 'wsUrl would send the key in clear text over a network.',
    hint: expect.stringContaining('allowClearText') as string,
  });
});
