import { certificateRefusal } from '../../../src/core/platform/node/transport-failure.js';
import { describe, expect, it } from 'vitest';

describe('certificateRefusal', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_HAS_EXPIRED', 'renew'],
    ['CERT_NOT_YET_VALID', 'clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'baseUrl'],
  ])('A5: says of %s what to do', (code, word) => {
    expect(certificateRefusal(code)?.hint).toContain(word);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPROTO', 'ETIMEDOUT', 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED'])(
    'A5: says nothing of %s',
    (code) => {
      expect(certificateRefusal(code)).toBeUndefined();
    },
  );
});
