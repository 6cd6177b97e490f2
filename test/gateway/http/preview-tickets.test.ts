import { describe, expect, it } from 'vitest';
import { previewTickets } from '../../../src/server/gateway/http/preview-tickets.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { type WatchClaim, watchTokens } from '../../../src/server/gateway/http/watch-tokens.js';

/** Tickets, and how often one was made. */
const setUp = () => {
  const clock = virtualClock();
  const tokens = watchTokens({ clock });
  const issued: WatchClaim[] = [];
  const tickets = previewTickets(
    {
      ...tokens,
      issue: (claim, forMs) => {
        issued.push(claim);
        return tokens.issue(claim, forMs);
      },
    },
    clock,
  );
  return { clock, tokens, tickets, issued };
};

const ann = { caller: { name: 'ann' } };

describe('the ticket of previews', () => {
  it('opens previews of its job alone, or of all jobs where the stream is of all', async () => {
    const { tokens, tickets } = setUp();
    const claims = [
      { ...ann, jobId: 'a' },
      { ...ann, jobId: 'b' },
      ann,
      { caller: { name: 'bob' }, jobId: 'a' },
    ];
    for (const claim of claims)
      expect(await tokens.read(await tickets(claim))).toEqual({
        jobId: undefined,
        ...claim,
        only: 'previews',
      });
  });

  it('is one for all streams that want it, while it is made and after, for half of its life', async () => {
    const { clock, tokens, tickets, issued } = setUp();
    const [one, two] = [tickets(ann), tickets(ann)];
    expect([await one, issued.length]).toEqual([await two, 1]);
    // No promise once it is there: readers get what they wait for in one turn.
    expect(tickets(ann)).toBe(await one);
    await clock.advance(149_999);
    expect(tickets(ann)).toBe(await one);
    await clock.advance(1);
    const next = await tickets(ann);
    expect([next === (await one), issued.length]).toEqual([false, 2]);
    await clock.advance(149_999);
    expect(tickets(ann)).toBe(next);
    expect(await tokens.read(await one)).toBeDefined();
    await clock.advance(1);
    expect([await tokens.read(await one), await tokens.read(next)]).toEqual([undefined, expect.anything()]);
  });

  it('keeps those that still count while others are forgotten', async () => {
    const { clock, tickets, issued } = setUp();
    const of = (jobId: string) => tickets({ ...ann, jobId });
    await of('a');
    await clock.advance(100_000);
    await of('b');
    await clock.advance(50_000);
    await of('c');
    expect(issued.map(({ jobId }) => jobId)).toEqual(['a', 'b', 'c']);
    await of('b');
    await of('c');
    expect(issued).toHaveLength(3);
    await of('a');
    await clock.advance(100_000);
    await of('b');
    expect(issued.map(({ jobId }) => jobId)).toEqual(['a', 'b', 'c', 'a', 'b']);
    await of('a');
    await of('c');
    expect(issued).toHaveLength(5);
  });
});
