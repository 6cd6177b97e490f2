import { describe, expect, it } from 'vitest';
import type { Arrived } from './gateway/webhook-target.js';
import { webhooks } from './webhooks.js';
import { judgeWebhooks } from './gateway/judge-webhooks.js';
import type { PlayedWebhooks } from './gateway/play-webhooks.js';
import { signatureBy } from '../gateway/webhooks/support.js';
import { tryWall } from './gateway/webhook-walls.js';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const kinds = ['job.submitted', 'job.status', 'job.output', 'job.ended'];

const arrival = (nth: number, more: Partial<Arrived> = {}): Arrived => {
  const id = more.id ?? `msg_${nth}`;
  const timestamp = more.timestamp ?? String(Math.floor(Date.now() / 1000));
  const body = more.body ?? JSON.stringify({ type: kinds[nth], data: { job: 'a', nth } });
  return {
    id,
    timestamp,
    body,
    signature: signatureBy(secret, { id, timestamp, body }),
    isAccepted: true,
    ...more,
  };
};

const played = (arrived: readonly Arrived[], more: Partial<PlayedWebhooks> = {}): PlayedWebhooks => ({
  ...{ secret, arrived, expected: new Map([['a', kinds]]), followed: 0 },
  ...more,
});

const all = kinds.map((_, nth) => arrival(nth));
const refused = arrival(1, { isAccepted: false });

describe('the figure webhooks lets pass', () => {
  it.each<[string, readonly Arrived[]]>([
    ['each message once', all],
    ['a message that was refused before', [all[0]!, refused, ...all.slice(1)]],
    ['a message again after a kill', [...all.slice(0, 3), all[2]!, all[3]!]],
  ])('%s', (_, arrived) => {
    expect(judgeWebhooks(played(arrived))).toEqual([]);
  });
});

describe('a planted bug', () => {
  it.each<[string, PlayedWebhooks, RegExp]>([
    ['loses a message', played(all.slice(0, 3)), /in place of/u],
    ['takes a refused message for delivered', played([all[0]!, refused, ...all.slice(2)]), /in place of/u],
    ['forgets the order', played([all[0]!, all[2]!, all[1]!, all[3]!]), /in place of/u],
    ['gives a message a new id with each try', played([...all, arrival(3, { id: 'msg_other' })]), /two ids/u],
    [
      'changes a message between tries',
      played([...all, arrival(3, { body: all[2]!.body })]),
      /two contents/u,
    ],
    [
      'signs another body',
      played([...all.slice(0, 3), { ...all[3]!, signature: all[2]!.signature }]),
      /verify/u,
    ],
    ['signs with an old time', played([arrival(0, { timestamp: '1' }), ...all.slice(1)]), /too old/u],
    ['sends messages of others', played(all, { expected: new Map() }), /nobody submitted/u],
    ['follows redirects', played(all, { followed: 1 }), /followed/u],
  ])('is caught by webhooks: a gateway that %s', (_, world, problem) => {
    expect(judgeWebhooks(world).join('\n')).toMatch(problem);
  });

  it('is caught by webhooks: a sender that refuses no address', async () => {
    const wall = ['169.254.169.254', '169.254.169.254'] as const;
    const careless = { send: () => Promise.resolve(200) };
    expect((await tryWall(wall, () => careless)).refused).toBe(0);
    expect(await tryWall(wall)).toEqual({ attempts: 6, connections: 0, refused: 5 });
  });

  it('is caught by webhooks: too few messages', () => {
    const of = (messages: number) =>
      webhooks.shortfalls?.({ counts: { messages }, problems: [] }, webhooks.count);
    expect([of(1_000), of(999)].map((found) => found?.length)).toEqual([0, 1]);
  });
});
