import { createHmac } from 'node:crypto';
import { filter, firstValueFrom, map, ReplaySubject, scan } from 'rxjs';
import type {
  WebhookAnswer,
  WebhookRequest,
  WebhookSender,
} from '../../../src/server/gateway/webhooks/webhook-sender.js';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const otherSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

/** A signature as the specification of Standard Webhooks has it, by another implementation than the gateway's. */
export const signatureBy = (
  key: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; readonly body: string },
): string =>
  `v1,${createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

/** A message as a target got it. */
export interface Received {
  readonly id: string;
  readonly url: string;
  readonly type: string;
  readonly job: string;
  readonly request: WebhookRequest;
}

/** A target in memory that notes what it gets. */
export interface PlayedTarget extends WebhookSender {
  readonly received: Received[];
  /** What it answers: a status, a promise of one, or an error. */
  answer: (received: Received) => number | WebhookAnswer | Promise<number>;
  /** Resolves once it got so many messages. */
  readonly got: (count: number) => Promise<readonly Received[]>;
}

export const playedTarget = (answer: PlayedTarget['answer'] = () => 200): PlayedTarget => {
  const each = new ReplaySubject<Received>(Infinity);
  const received: Received[] = [];
  const target: PlayedTarget = {
    received,
    answer,
    send: async (request) => {
      const { type, data } = JSON.parse(request.body) as { type: string; data: { job: string } };
      const id = request.headers['webhook-id'] ?? '';
      const one = { id, url: request.url, type, job: data.job, request };
      received.push(one);
      each.next(one);
      return target.answer(one);
    },
    got: (count) =>
      firstValueFrom(
        each.pipe(
          scan((all) => all + 1, 0),
          filter((all) => all >= count),
          map(() => received),
        ),
      ),
  };
  return target;
};
