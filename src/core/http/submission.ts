import * as E from '../protocol/either.js';
import { clearTextRefusal } from './clear-text.js';
import { credentialFields } from '../redaction/credential-fields.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import { readApiKey } from './api-key.js';
import { redactor } from '../redaction/redact.js';
import type { ServiceError } from '../errors/errors.js';
import { refusedRequest, uuidForm } from './refused-request.js';
import { serviceError } from '../errors/service-error.js';
import type { Submission } from '../endpoints/submit.js';
import type { SubmitOptions } from './rest-options.js';
import { valueRedactor } from '../redaction/redact-value.js';
import type { Workflow } from '../protocol/workflow.js';

/** A submission ready to be sent, and the connection that keeps its partner key out of errors. */
export interface PreparedSubmission {
  readonly endpoint: Endpoint<Submission>;
  readonly connection: HttpConnection;
}

/**
 * Makes the request of a submission at once: later changes of the workflow do not reach it.
 *
 * Left is `InvalidWorkflow` for what is no JSON and `InvalidConfig` for a partner key that can't be one, for `true` without
 * a key, for a submission id that is no UUID, for what can't be asked for, and for credentials in `extraData`: they are sent
 * only where `partnerKey` asks for it. `NotSupported` for what the dialect has no place for.
 */
export const prepareSubmission = (
  connection: HttpConnection,
  workflow: Workflow,
  options: SubmitOptions,
): E.Either<ServiceError, PreparedSubmission> => {
  const { dialect, partnerKeyField = dialect.partnerKeyField } = connection;
  const { extraData, partnerKey, submissionId } = options;
  const credentials = Object.keys(extraData ?? {}).filter(
    (name) => name === partnerKeyField || credentialFields.has(name),
  );
  if (credentials.length > 0) {
    return E.left(
      serviceError('InvalidConfig', {
        option: 'extraData',
        message: `extraData must not hold ${credentials.join(', ')}.`,
        hint: 'Pass partnerKey: true to send the API key to the partner nodes, or partnerKey: "…" for another one.',
      }),
    );
  }
  if (submissionId !== undefined && !uuidForm.test(submissionId)) {
    return E.left(
      serviceError('InvalidConfig', { option: 'submissionId', message: 'submissionId must be a UUID.' }),
    );
  }
  const { labels, front, number, targets, workflowId, previewMethod } = options;
  const asked = { labels, front, number, targets, workflowId, previewMethod };
  const refusal = refusedRequest(dialect, workflow, asked);
  if (refusal !== undefined) return E.left(refusal);
  const partner = readPartnerKey(connection, partnerKey);
  if (E.isLeft(partner)) return partner;
  const value = partner.right;
  const refused = value === undefined ? undefined : clearTextRefusal(connection.urls, 'the partner key');
  if (refused !== undefined) return E.left(refused);
  if (value !== undefined) connection.redactPartnerKey?.(value);
  try {
    const endpoint = dialect.submission(connection, workflow, {
      ...asked,
      extraData,
      submissionId,
      partnerKey: value === undefined ? undefined : { field: partnerKeyField, value },
    });
    return E.right({ endpoint, connection: value === undefined ? connection : redacting(connection, value) });
  } catch {
    return E.left(
      serviceError('InvalidWorkflow', {
        format: 'unknown',
        message: 'The workflow or its extra data is no JSON: it refers to itself.',
      }),
    );
  }
};

const readPartnerKey = (
  connection: HttpConnection,
  partnerKey: true | string | undefined,
): E.Either<ServiceError, string | undefined> =>
  partnerKey === undefined
    ? E.right(undefined)
    : readApiKey(partnerKey === true ? connection.key() : partnerKey, 'partnerKey');

/** The service may echo the submission, so errors and answer of this call redact this call's partner key, too. */
const redacting = (connection: HttpConnection, secret: string): HttpConnection => {
  const redact = redactor([secret]);
  const redactValue = valueRedactor([secret]);
  return {
    ...connection,
    redact: (text) => redact(connection.redact(text)),
    redactValue: (value, raw) => redactValue(connection.redactValue(value, raw), raw),
  };
};
