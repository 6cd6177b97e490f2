import { describe, expect, it } from 'vitest';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { canary, httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { dialects } from '../../src/client/dialects/dialects.js';
import { prepareSubmission } from '../../src/core/http/submission.js';
import type { SubmitOptions } from '../../src/core/http/rest-options.js';

const workflow = { 1: { class_type: 'A', inputs: {} } };
const prepared = (options: SubmitOptions, more: Partial<HttpConnection> = {}) =>
  prepareSubmission(httpConnection(fakePlatform(), more), workflow, options);
const extraDataOf = (options: SubmitOptions, more: Partial<HttpConnection> = {}): unknown => {
  const { endpoint } = rightOf(prepared(options, more));
  return (JSON.parse(endpoint.json ?? '{}') as { readonly extra_data?: unknown }).extra_data;
};

describe('prepareSubmission', () => {
  it('sends a partner key only where it is asked for, under the name that was set', () => {
    expect(extraDataOf({})).toBeUndefined();
    expect(extraDataOf({ partnerKey: true })).toEqual({ api_key_partner_org: canary });
    expect(extraDataOf({ partnerKey: 'other' }, { partnerKeyField: 'their_key' })).toEqual({
      their_key: 'other',
    });
  });

  it.each(['their_key', 'api_key_partner_org', 'api_key_comfy_org', 'auth_token_comfy_org'])(
    'E21: refuses the credential %s in the extra data, whatever name is set',
    (name) => {
      const error = leftOf(prepared({ extraData: { a: 1, [name]: 'k' } }, { partnerKeyField: 'their_key' }));
      expect(error).toMatchObject({
        _tag: 'InvalidConfig',
        option: 'extraData',
        message: `extraData must not hold ${name}.`,
      });
    },
  );

  it('hides the partner key in what the service answers, and has the client hide it as well', () => {
    const added: string[] = [];
    const more = { redactPartnerKey: (key: string) => void added.push(key) };
    const { connection } = rightOf(prepared({ partnerKey: 'partner-secret' }, more));
    const said = `partner-secret of ${canary}`;
    expect(connection.redact(said)).toBe('[redacted] of [redacted]');
    expect(connection.redactValue({ said }, JSON.stringify({ said }))).toEqual({
      said: '[redacted] of [redacted]',
    });
    expect(added).toEqual(['partner-secret']);
    prepared({}, more);
    expect(added).toHaveLength(1);
  });

  it.each(['local', 'v2', 'cloud'] as const)('takes the caller’s id of the submission (%s)', (dialect) => {
    const submissionId = '3b241101-e2bb-4255-8caf-4136c566a962';
    const sent = (options: SubmitOptions) => {
      const { endpoint } = rightOf(prepared(options, { dialect: dialects[dialect].http }));
      const body = JSON.parse(endpoint.json ?? '{}') as { readonly prompt_id?: string };
      return {
        unproven: body.prompt_id,
        jobs: undefined,
        keys: endpoint.headers?.['idempotency-key'],
        none: undefined,
      };
    };
    const kind = dialects[dialect].jobs.submissionIds;
    const own = { unproven: undefined, jobs: undefined, keys: undefined, none: undefined };
    expect(sent({ submissionId })).toEqual({ ...own, ...(kind !== 'none' && { [kind]: submissionId }) });
    expect(sent({})[kind]).not.toBe(submissionId);
  });

  it('refuses an id of the submission that is no UUID', () => {
    expect(leftOf(prepared({ submissionId: 'mine' }))).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'submissionId',
    });
  });

  it('refuses what is no JSON, and says so', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(leftOf(prepared({ extraData: circle }))).toMatchObject({
      _tag: 'InvalidWorkflow',
      format: 'unknown',
      message: 'The workflow or its extra data is no JSON: it refers to itself.',
    });
  });
});
