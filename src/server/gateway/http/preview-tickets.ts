import type { Clock } from '../../../core/platform/platform.js';
import { longestTokenMs, type WatchClaim, type WatchTokens } from './watch-tokens.js';

/** Gives the tickets of previews: all streams of one caller and one job have the same one at a time. A promise only while it is made. */
export type PreviewTickets = (claim: Omit<WatchClaim, 'only'>) => string | Promise<string>;

/** Makes {@link PreviewTickets}. A ticket is given for half of its life, so that the other half is left to fetch the preview. */
export const previewTickets = (tokens: WatchTokens, clock: Pick<Clock, 'wall'>): PreviewTickets => {
  const kept = new Map<string, { readonly ticket: string | Promise<string>; readonly until: number }>();
  return ({ caller, jobId }) => {
    const now = clock.wall();
    const name = JSON.stringify([caller, jobId]);
    const known = kept.get(name);
    if (known !== undefined && known.until > now) return known.ticket;
    // The oldest come first.
    for (const [other, { until }] of kept) {
      if (until > now) break;
      kept.delete(other);
    }
    kept.delete(name);
    const until = now + longestTokenMs / 2;
    const issued = tokens.issue({ caller, jobId, only: 'previews' }).then(({ ticket }) => {
      kept.set(name, { ticket, until });
      return ticket;
    });
    kept.set(name, { ticket: issued, until });
    return issued;
  };
};
