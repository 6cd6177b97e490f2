import { expect, it } from 'vitest';
import { messageOf } from '../../src/cli/error-message.js';

it('what was thrown has a message, whatever it is', () => {
  expect([new TypeError('odd'), 'words', 5, undefined].map(messageOf)).toEqual([
    'odd',
    'words',
    '5',
    'undefined',
  ]);
});
