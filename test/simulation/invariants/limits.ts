import type { LoggedRequest, RouteName } from '../ledger.js';
import type { Played } from '../play.js';

const windowMs = 10_000;
/** How many requests about jobs a service may get at once, and a second. */
const budgets = {
  cloud: { burst: 10, perSecond: 5 },
  local: { burst: 100, perSecond: 100 },
  v2: { burst: 10, perSecond: 5 },
} as const;

/** I10: looks keep to their budget, attempts to connect to their spread, and nothing is sent into a known refusal. */
export const brokenLimits = (played: Played): readonly string[] => [
  ...tooManyStatusRequests(played),
  ...tooManyHandshakes(played),
  ...sentIntoStop(played),
  ...(played.backend.ledger.overlaps.length === 0 ? [] : ['I10 two sockets at once under one client id']),
];

const aboutJobs: ReadonlySet<RouteName> = new Set(['status', 'history', 'job', 'queue']);
/** Beside API v2 the queue is asked once for what became of a submission, and for no job that is followed. */
const aboutV2Jobs: ReadonlySet<RouteName> = new Set(['status']);

const tooManyStatusRequests = ({ backend, schedule }: Played): readonly string[] => {
  const routes = schedule.dialect === 'v2' ? aboutV2Jobs : aboutJobs;
  const all = backend.ledger.requests.filter(({ route }) => routes.has(route));
  const looks = firstAttempts(all);
  const { burst, perSecond } = budgets[schedule.dialect ?? 'cloud'];
  const allowed = burst + (windowMs / 1000) * perSecond;
  let first = 0;
  for (const [index, { at }] of looks.entries()) {
    while (looks[first]!.at <= at - windowMs) first += 1;
    if (index + 1 - first <= allowed) continue;
    const within = looks.slice(first, index + 1);
    const listings = within.filter(({ route }) => route === 'queue').length;
    // The listing of a local server names no job, so those that failed in the window before may be made again in this one. They
    // excuse listings only, and no more of them than there are.
    const failed = all.filter(
      (one) =>
        one.route === 'queue' && one.fate !== 'fine' && one.at > at - 2 * windowMs && one.at <= at - windowMs,
    ).length;
    const count = within.length - Math.min(listings, failed);
    if (count > allowed) return [`I10 ${count} looks within ${windowMs} ms`];
  }
  return tooManyAttemptsOfLooks(all, burst + 2 * (windowMs / 1000) * perSecond);
};

const mostRetries = 3;

/**
 * However many looks fail, each is made again three times at most, so that all attempts within a window stay below four times
 * the first ones of two windows: this holds where failures excuse everything else.
 */
const tooManyAttemptsOfLooks = (
  all: readonly Pick<LoggedRequest, 'at'>[],
  firsts: number,
): readonly string[] => {
  const most = (1 + mostRetries) * firsts;
  const tooMany = all.some(({ at }, index) => at - (all[index - most]?.at ?? -Infinity) < windowMs);
  return tooMany ? [`I10 more than ${most} attempts of looks within ${windowMs} ms`] : [];
};

/**
 * The looks without those that repeat one which failed: the call itself makes them again, three times at most. The first
 * attempt is what the budget paces; its repetition may come when the attempt itself lies before the window.
 */
export const firstAttempts = (
  looks: readonly Pick<LoggedRequest, 'at' | 'route' | 'promptId' | 'fate'>[],
): readonly Pick<LoggedRequest, 'at' | 'route'>[] => {
  const failures = new Map<string, number>();
  return looks.filter(({ route, promptId = '', fate }) => {
    const call = `${route} ${promptId}`;
    const before = failures.get(call) ?? 0;
    const isAgain = before > 0 && before <= mostRetries;
    failures.set(call, fate === 'fine' ? 0 : isAgain ? before + 1 : 1);
    return !isAgain;
  });
};

/**
 * Full jitter from 1 s: 40 attempts within a minute would need the shortest delays again and again. Where each job has a stream
 * of its own, this holds for each.
 */
const tooManyHandshakes = ({ backend }: Played): readonly string[] =>
  [...new Set(backend.ledger.handshakes.map(({ promptId }) => promptId))].flatMap((job) =>
    tooOften(backend.ledger.handshakes.filter(({ promptId }) => promptId === job)),
  );

const tooOften = (handshakes: readonly { readonly at: number }[]): readonly string[] => {
  const most = 40;
  for (const [index, { at }] of handshakes.entries()) {
    const before = handshakes[index - most];
    if (before !== undefined && at - before.at < 60_000) return [`I10 ${most} handshakes within a minute`];
  }
  return [];
};

/** A refusal may be met twice more and confirmed by one question, by a submission, by a read and by a stream each. */
const toConfirm = { cloud: 6, local: 6, v2: 9 } as const;
const firstProbeMs = 300_000;
const trialMs = 60_000;

const sentIntoStop = ({ backend, schedule }: Played): readonly string[] => {
  const { stops, resumes, requests, handshakes } = backend.ledger;
  return stops.flatMap(({ kind, at }) => {
    const knownAt = kind === 'socket' ? at : knownSince(backend.ledger, kind, at);
    if (knownAt === undefined) return [];
    const until = resumes.find((resumed) => resumed >= knownAt) ?? Infinity;
    const within = <A extends { readonly at: number }>(sent: readonly A[]): readonly A[] =>
      sent.filter((one) => one.at > knownAt && one.at < until);
    const asked = within(requests);
    const rude =
      kind === 'socket'
        ? within(handshakes).length
        : kind === 'auth'
          ? asked.filter(
              ({ route, at: sentAt, fate }) =>
                fate === 'fine' && !(route === 'user' && sentAt >= knownAt + firstProbeMs),
            ).length - toConfirm[schedule.dialect ?? 'cloud']
          : asked.filter(({ route }, index) => route === 'submit' && isNoTrial(asked, index, knownAt)).length;
    return rude > 0 ? [`I10 ${rude} times into a stop (${kind})`] : [];
  });
};

/** A submission less than a minute after the one before it tests no billing stop. */
const isNoTrial = (
  asked: readonly { readonly at: number; readonly route: string }[],
  index: number,
  knownAt: number,
): boolean => {
  const before = asked.slice(0, index).findLast(({ route }) => route === 'submit')?.at ?? knownAt;
  return asked[index]!.at - before < trialMs;
};

/** When the client learnt of a stop: by the answer to a request that was sent with what is in force now. */
const knownSince = (
  { requests, resumes }: Played['backend']['ledger'],
  kind: 'auth' | 'billing',
  at: number,
): number | undefined =>
  requests.find(
    ({ at: sentAt, settledAt = -1, status, route, fate }) =>
      settledAt >= at &&
      !resumes.some((resumed) => resumed >= sentAt && resumed <= settledAt) &&
      (kind === 'auth'
        ? status === 401 && fate === 'fine'
        : route === 'submit' && sentAt === at && fate === 'says'),
  )?.settledAt;
