import type { KnownServer, WaitingForServer } from './queue-snapshot.js';

/** Whether a server can run a job: `able`, `unknown`, `away`, or why not. */
export const verdictOf = (
  { name, reports, last }: KnownServer,
  { needs, tags }: WaitingForServer['asked'],
  refusedBy: WaitingForServer['refusedBy'],
): string => {
  const has = [...reports.values()][0]?.tags ?? last?.tags ?? [];
  const missing = tags.filter((tag) => !has.includes(tag));
  if (missing.length > 0) return `no: it lacks the tag ${missing.join(', ')}`;
  if (Object.hasOwn(refusedBy, name)) return `no: ${refusedBy[name] ?? ''}`;
  const there = [...reports.values()].filter(({ isUp }) => isUp);
  if (there.length === 0) return 'away';
  if (needs === '') return 'able';
  const known = there.flatMap(({ can }) => can[needs] ?? []);
  if (known.includes('')) return 'able';
  return known[0] === undefined ? 'unknown' : `no: ${known[0]}`;
};
