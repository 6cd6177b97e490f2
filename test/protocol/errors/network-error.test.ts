import { describe, expect, it } from 'vitest';
import { errorDefaults } from '../../../src/protocol/errors/error-defaults.js';
import { networkError } from '../../../src/protocol/errors/network-error.js';

const facts = { endpoint: 'GET /ws', code: 'ECODE', message: 'it broke', sent: false };

describe('networkError', () => {
  it('says what the system said, and otherwise what all such errors say', () => {
    expect(networkError(facts)).toMatchObject({
      ...facts,
      _tag: 'Network',
      message: 'The network failed (ECODE): it broke',
      hint: errorDefaults.Network.hint,
      retry: errorDefaults.Network.retry,
    });
  });

  it('is not to be retried where something has to be done first', () => {
    expect(networkError({ ...facts, hint: 'Mend it.' })).toMatchObject({ hint: 'Mend it.', retry: 'never' });
  });
});
