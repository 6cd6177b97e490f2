import type { DeliveryContext } from './delivery-context.js';
import type { OutgoingMessage } from './webhook-message.js';
import { readTarget } from './webhook-target.js';
import { signMessage } from './signature.js';
import { tryOnce, type TryResult } from './webhook-sender.js';
import type { WebhookRecord } from '../ports/webhook-store.js';

/** Signs a message and sends it once, to an address that is allowed now. */
export const sendMessage = async (
  context: DeliveryContext,
  record: WebhookRecord,
  { id, body }: OutgoingMessage,
  stopped: AbortSignal,
): Promise<TryResult> => {
  if (stopped.aborted) return { _tag: 'stopped' };
  const target = readTarget(record.url, context.allowHosts);
  if (target._tag === 'Left') return { _tag: 'failed', reason: target.left };
  const signed = await signMessage(record.secrets, { id, body, atMs: context.clock.wall() });
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'promptwire' };
  const request = { url: record.url, headers, body, anyAddress: target.right.isAllowed };
  return tryOnce(request, { ...context, stopped });
};
