import type { Refusal } from '../http/refusal.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import type { JobPhase } from '../../../core/state/job-state.js';
import type { OutputKind } from '../../../core/state/output-files.js';
import { isKey } from './metadata.js';
import { listKind, listLimit, type listStatus, listText } from '../contract/requests.js';
import { refusal } from './refusal.js';
import type * as t from 'io-ts';

/** What a list of jobs asks for. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly phase: readonly JobPhase[] | undefined;
  readonly template: string | undefined;
  readonly workflow: string | undefined;
  readonly text: string | undefined;
  readonly kind: OutputKind | undefined;
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
  /** Milliseconds since 1970. */
  readonly until: number | undefined;
}

/**
 * Reads `limit` (1 to 100, default 50), `cursor`, up to three `metadata[key]=value`, and beyond API v2 `status` (words of either
 * interface, separated by commas), `template`, `workflow`, `text` (up to 200 characters), `kind`, and `since` and `until` (ISO 8601, or
 * milliseconds since 1970).
 */
export const readListQuery = (query: URLSearchParams): Either<Refusal, ListQuery> => {
  const limit = Number(query.get('limit') ?? '50');
  if (!listLimit.is(limit)) {
    return left(refusal(400, 'invalid_request', '`limit` takes 1 to 100.'));
  }
  const metadata: (readonly [string, string])[] = [];
  for (const [name, value] of query) {
    const key = /^metadata\[(.*)\]$/su.exec(name)?.[1];
    if (key === undefined) continue;
    if (!isKey(key) || metadata.length === 3) {
      return left(refusal(400, 'invalid_metadata_filter', 'A list takes up to three `metadata[key]=value`.'));
    }
    metadata.push([key, value]);
  }
  const words = query.getAll('status').flatMap((text) => text.split(','));
  const wrong = words.find((word) => !phasesOf.has(word));
  if (wrong !== undefined) {
    return left(refusal(400, 'invalid_request', `\`status\` has no word \`${wrong.slice(0, 40)}\`.`));
  }
  const search = readSearch(query);
  if (isLeft(search)) return search;
  return right({
    limit,
    cursor: query.get('cursor') ?? undefined,
    metadata: Object.fromEntries(metadata),
    phase: words.length === 0 ? undefined : words.flatMap((word) => phasesOf.get(word) ?? []),
    template: query.get('template') ?? undefined,
    workflow: query.get('workflow') ?? undefined,
    ...search.right,
  });
};

/** Reads `text`, `kind`, `since` and `until`. */
const readSearch = (
  query: URLSearchParams,
): Either<Refusal, Pick<ListQuery, 'text' | 'kind' | 'since' | 'until'>> => {
  const text = query.get('text') ?? undefined;
  if (!(text === undefined || listText.is(text))) {
    return left(refusal(400, 'invalid_request', '`text` takes up to 200 characters.'));
  }
  const kind = query.get('kind') ?? undefined;
  if (!(kind === undefined || listKind.is(kind))) {
    return left(refusal(400, 'invalid_request', '`kind` takes image, video, audio, 3d, text or other.'));
  }
  const [since, until] = ['since', 'until'].map((name) => readTime(query.get(name)));
  if (Number.isNaN(since) || Number.isNaN(until)) {
    const message =
      '`since` and `until` take a time, such as 2026-11-26T10:00:00Z, or milliseconds since 1970.';
    return left(refusal(400, 'invalid_request', message));
  }
  return right({ text, kind, since, until });
};

/** Milliseconds since 1970; not a number where the text names no time, undefined for null. */
const readTime = (text: string | null): number | undefined => {
  if (text === null) return undefined;
  return /^\d{1,15}$/u.test(text) ? Number(text) : Date.parse(text);
};

/** The phases that a word stands for: those of `JobState`, and the words of API v2. */
const phasesOf: ReadonlyMap<string, readonly JobPhase[]> = new Map<
  t.TypeOf<typeof listStatus>,
  readonly JobPhase[]
>([
  ['submitting', ['submitting']],
  ['pending', ['pending']],
  ['in_progress', ['in_progress']],
  ['completed', ['completed']],
  ['failed', ['failed', 'unknown']],
  ['cancelled', ['cancelled']],
  ['untraceable', ['untraceable']],
  ['unknown', ['unknown']],
  ['queued', ['submitting', 'pending']],
  ['running', ['in_progress']],
  ['succeeded', ['completed']],
  ['canceled', ['cancelled']],
  ['expired', ['untraceable']],
]);
