import { isLeft } from '../../protocol/either.js';
import { json } from '../http/respond.js';
import type { KnownWebhook, Webhooks } from '../webhooks/webhooks.js';
import { readRegistration } from '../webhooks/read-registration.js';
import type { Refusal } from '../http/refusal.js';
import type { Route } from '../http/route.js';

/** `GET`, `PUT` and `DELETE /webhooks`: the webhook of the caller. Without `webhooks` the gateway sends none, and each answers 501. */
export const webhookRoutes = (
  webhooks: Webhooks | undefined,
  allowHosts: readonly string[] = [],
): readonly Route[] => {
  const route = (
    method: Route['method'],
    handle: (known: Webhooks, call: Parameters<Route['handle']>[0]) => ReturnType<Route['handle']>,
  ): Route => ({
    ...{ method, path: '/webhooks', access: 'caller', errors: 'problem' },
    handle: (call) => (webhooks === undefined ? Promise.resolve(sendsNone) : handle(webhooks, call)),
  });
  return [
    route('GET', (known, { caller }) => {
      const found = known.get(caller.name);
      return Promise.resolve(found === undefined ? notFound : json(webhookDocument(found)));
    }),
    route('PUT', async (known, { caller, json: read }) => {
      const registration = readRegistration(await read(), allowHosts);
      if (isLeft(registration)) return registration.left;
      const { isNew, ...put } = await known.put(caller.name, registration.right);
      return json(webhookDocument(put), isNew ? 201 : 200);
    }),
    route('DELETE', async (known, { caller }) =>
      (await known.remove(caller.name)) ? new Response(null, { status: 204 }) : notFound,
    ),
  ];
};

/** A webhook as its owner gets to see it: of the secrets only how many there are. */
const webhookDocument = ({ record, lastFailure }: KnownWebhook): Readonly<Record<string, unknown>> => {
  const { url, events, secrets, createdAt, parked } = record;
  return {
    ...{ url, events, secrets: secrets.length, createdAt },
    status: parked === undefined ? 'active' : 'parked',
    ...(parked !== undefined && { parked }),
    ...(lastFailure !== undefined && { lastFailure }),
  };
};

const notFound: Refusal = { status: 404, code: 'webhook_not_found', message: 'You have no webhook.' };

const sendsNone: Refusal = {
  status: 501,
  code: 'not_implemented',
  message: 'This gateway sends no webhooks: its operator has to turn them on.',
};
