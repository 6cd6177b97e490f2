import { isLeft } from '../../../core/protocol/either.js';
import { json } from '../http/respond.js';
import type { KnownWebhook, Webhooks } from '../model/webhooks.js';
import { readRegistration } from '../webhooks/read-registration.js';
import { sendsNone } from '../webhooks/sends-none.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import { answers, type Operations, takes } from '../openapi/operation.js';
import { webhook } from '../contract/native.js';
import { webhookRegistration } from '../contract/requests.js';

/** The operations on the webhook of the caller. Without `webhooks` the gateway sends none, and each answers 501. */
export const webhookOperations = (webhooks: Webhooks | undefined, allowHosts: readonly string[] = []) => {
  const withWebhooks =
    (operation: (known: Webhooks, call: RouteCall) => Promise<Response | Refusal>) =>
    (call: RouteCall): Promise<Response | Refusal> =>
      webhooks === undefined ? Promise.resolve(sendsNone) : operation(webhooks, call);

  return {
    show: withWebhooks((known, { caller }) => {
      const found = known.get(caller.name);
      return Promise.resolve(found === undefined ? notFound : json(webhookDocument(found)));
    }),
    put: withWebhooks(async (known, { caller, json: read }) => {
      const registration = readRegistration(await read(), allowHosts);
      if (isLeft(registration)) return registration.left;
      const { isNew, ...put } = await known.put(caller.name, registration.right);
      return json(webhookDocument(put), isNew ? 201 : 200);
    }),
    remove: withWebhooks(async (known, { caller }) =>
      (await known.remove(caller.name)) ? new Response(null, { status: 204 }) : notFound,
    ),
  };
};

/** A webhook as its owner gets to see it: of the secrets only how many there are. */
const webhookDocument = ({ record, lastFailure }: KnownWebhook): Readonly<Record<string, unknown>> => {
  const { url, events, secrets, createdAt, parked } = record;
  const status = parked === undefined ? 'active' : 'parked';
  return { url, events, secrets: secrets.length, createdAt, status, parked, lastFailure };
};

const notFound: Refusal = { status: 404, code: 'webhook_not_found', message: 'You have no webhook.' };

/** What OpenAPI tells of these operations. */
export const webhookDescriptions: Operations = {
  'GET /webhooks': {
    ...{ id: 'getWebhook', tag: 'Webhooks', summary: 'Show your webhook' },
    answers: { 200: answers('The webhook.', webhook) },
    refusals: [404, 501],
  },
  'PUT /webhooks': {
    ...{ id: 'putWebhook', tag: 'Webhooks', summary: 'Set your webhook' },
    body: takes(webhookRegistration),
    answers: { 200: answers('It was there before.', webhook), 201: answers('The webhook.', webhook) },
    refusals: [422, 501],
  },
  'DELETE /webhooks': {
    ...{ id: 'deleteWebhook', tag: 'Webhooks', summary: 'Remove your webhook' },
    answers: { 204: { description: 'It is gone.' } },
    refusals: [404, 501],
  },
};
