import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { readTarget } from './webhook-target.js';
import type { Refusal } from '../http/refusal.js';
import { secretBytes } from './signature.js';
import { webhookEvents, webhookSecrets } from '../contract/requests.js';
import { webhookKinds } from '../../../core/events/webhook-kinds.js';
import type { WebhookRegistration } from '../model/webhooks.js';

/** Reads `{ "url", "events"?, "secrets" }`; no refusal repeats a secret or the address. */
export const readRegistration = (
  body: unknown,
  allowHosts: readonly string[],
): Either<Refusal, WebhookRegistration> => {
  if (!isJsonObject(body)) return wrong('The body is no JSON object.');
  const { url, events = webhookKinds, secrets, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) return wrong('Only `url`, `events` and `secrets` stand in a webhook.');
  if (typeof url !== 'string') return wrong('`url` is no text.');
  const target = readTarget(url, allowHosts);
  if (isLeft(target)) return wrong(`\`url\` can't be used: ${target.left}.`);
  if (!webhookEvents.is(events)) return wrong(`\`events\` has one or more of ${webhookKinds.join(', ')}.`);
  if (!webhookSecrets.is(secrets) || secrets.some((secret) => secretBytes(secret) === undefined)) {
    return wrong(
      `\`secrets\` has 1 to ${webhookSecrets.keywords.maxItems} texts: \`whsec_\` and 24 to 64 random bytes as base64 each.`,
    );
  }
  return right({ url: target.right.url.href, events: [...new Set(events)], secrets: [...new Set(secrets)] });
};

const wrong = (message: string): Either<Refusal, never> =>
  left({ status: 422, code: 'invalid_webhook', message });
