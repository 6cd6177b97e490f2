import {
  certificateRefusal,
  type Delivery,
  transportFailure,
} from '../../../src/core/platform/node/transport-failure.js';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/core/platform/platform.js';

const withCode = (code: unknown): Error => Object.assign(new Error('connect http://secret'), { code });
const failed = (cause: unknown, delivery: Delivery) => {
  const { code, message, sent, hint } = transportFailure(cause, delivery);
  return { code, message, sent, hint };
};
const never = { message: 'no connection could be made', sent: false, hint: undefined };

describe('transportFailure', () => {
  it.each([
    ['unsent', 'no connection could be made', false],
    ['in part', 'the connection failed before the request had left whole', false],
    ['sent', 'the connection failed', true],
  ] as const)('says what had left of the request: %s', (delivery, message, sent) => {
    expect(failed(withCode('ECONNRESET'), delivery)).toEqual({
      ...{ code: 'ECONNRESET', message, sent, hint: undefined },
    });
  });

  it.each([
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EHOSTUNREACH'],
    ...['ENETUNREACH', 'EADDRNOTAVAIL', 'EADDRCLASS'],
  ])('knows of %s that nothing left', (code) => {
    expect(failed(withCode(code), 'sent')).toEqual({ code, ...never });
  });

  it('has the code of the first address of several, and none of what has none', () => {
    const several = new AggregateError([withCode('ECONNREFUSED'), withCode('ETIMEDOUT')]);
    expect(failed(several, 'sent')).toEqual({ code: 'ECONNREFUSED', ...never });
    for (const cause of [undefined, null, 'a text', {}, withCode(7), new AggregateError([]), { errors: 7 }])
      expect(failed(cause, 'unsent')).toEqual({ code: 'EUNKNOWN', ...never });
  });

  it('says that a certificate was refused, before anything left', () => {
    expect(failed(withCode('CERT_HAS_EXPIRED'), 'sent')).toMatchObject({
      ...{ code: 'CERT_HAS_EXPIRED', message: 'the certificate is not accepted', sent: false },
      hint: expect.stringContaining('clock') as string,
    });
  });

  it('leaves a failure that says already that nothing left, and no other', () => {
    const refused = new TransportError('EPROXY', 'the proxy refuses it', false);
    expect(transportFailure(refused, 'sent')).toBe(refused);
    const closed = new TransportError('ECLOSED', 'the client is closed', true);
    expect(failed(closed, 'unsent')).toEqual({ code: 'ECLOSED', ...never });
  });
});

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
