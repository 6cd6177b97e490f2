import { allCases } from './all-cases.js';
import { localCases } from './dialects/local-cases.js';
import { v2Cases } from './dialects/v2-cases.js';
import { api } from './api.js';
import { budgetWire } from './budget-wire.js';
import { type ConformanceCase, isOf } from './conformance-case.js';
import { type Exchange, NotAllowed } from './wire.js';
import { isObject } from './shape.js';
import type { Profile, Target, Tier } from './target.js';
import { redactorOf } from './redactor-of.js';
import { setTimeout } from 'node:timers/promises';
import { workflowsFor } from './workflows-for.js';

/** Options of {@link runConformance}. */
export interface ConformanceOptions {
  /** Where the service is: `https://cloud.example`, with any path prefix. */
  readonly baseUrl: string;
  /** Where its socket is, without `/ws`; default `baseUrl` with `wss:` for `https:`. */
  readonly wsUrl?: string | undefined;
  /** The kind of server; default `cloud`. */
  readonly dialect?: 'cloud' | 'local' | 'v2' | undefined;
  /** The key of an account; a local server takes none. */
  readonly apiKey?: string | undefined;
  /** Which facts of the interface hold; default `interface`. */
  readonly profile?: Profile | undefined;
  /** The plan of the account; default `standard`. */
  readonly tier?: Tier | undefined;
  /** How many small jobs may be made; default 0: nothing but reading. */
  readonly budget?: number | undefined;
  /** Whether the account has no other users, so that statements that end all of its jobs may be played; default false. */
  readonly exclusive?: boolean | undefined;
  /** Only the statements whose number begins with one of these, such as `2.4` or `5`. */
  readonly only?: readonly string[] | undefined;
  /** How long to wait for anything that has to come, in milliseconds; default 30 000. */
  readonly patienceMs?: number | undefined;
  /** Ends the run; what was not played yet is skipped. */
  readonly signal?: AbortSignal | undefined;
  /** Gets each verdict as it falls. */
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined;
}

/** What was found about one statement. */
export interface Verdict {
  /** Its number in docs/protocol.md. */
  readonly id: string;
  /** The statement, in some words. */
  readonly title: string;
  /** Whether the service does what it says. */
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What the service does otherwise, or why the statement was skipped. */
  readonly reason?: string;
  /** What was sent last and what came, without secrets; of a failure only. */
  readonly exchanges?: readonly Exchange[];
}

/** What a run has found. */
export interface ConformanceReport {
  /** Where the service is. */
  readonly baseUrl: string;
  /** Which facts were expected. */
  readonly profile: Profile;
  /** One for each statement, in the order of their numbers. */
  readonly verdicts: readonly Verdict[];
  /** How many jobs were made. */
  readonly jobs: number;
}

/**
 * Checks the statements of docs/protocol.md on a living service, one after the other, as far as that does no harm.
 *
 * It speaks HTTP and the socket itself, and shares no code with the client. Jobs are small, at most `budget`; statements that would need more,
 * node classes that the service lacks, or powers that only its operator has are skipped with the reason. Resolves with the report, also where
 * statements fail; rejects where the node classes can't be read at all.
 *
 * @example
 * ```ts
 * import { runConformance } from 'promptwire/conformance';
 * import { startEmulator } from 'promptwire/emulator';
 *
 * const emulator = await startEmulator();
 * const { verdicts } = await runConformance({ ...emulator, budget: 5, only: ['2.4', '2.5'] });
 * for (const { id, result, reason = '' } of verdicts) console.log(id, result, reason);
 * await emulator.close();
 * ```
 */
export const runConformance = async (options: ConformanceOptions): Promise<ConformanceReport> => {
  const {
    dialect = 'cloud',
    apiKey = '',
    profile = 'interface',
    budget = 0,
    exclusive = false,
    only,
    signal,
    onVerdict,
  } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/u, '');
  const wire = budgetWire({ budget, exclusive, redact: redactorOf([apiKey]) });
  const base: Omit<Target, 'workflows'> = {
    name: baseUrl,
    baseUrl,
    wsUrl: (options.wsUrl ?? baseUrl.replace(/^http/u, 'ws')).replace(/\/+$/u, ''),
    apiKey,
    profile,
    tier: options.tier ?? 'standard',
    patienceMs: options.patienceMs ?? 30_000,
    pause: () => setTimeout(50),
    wire,
  };
  const target: Target = {
    ...base,
    workflows: workflowsFor(hasClasses[dialect] ? await classesOf(base) : {}),
  };
  const verdicts: Verdict[] = [];
  for (const one of casesOf[dialect].filter(
    ({ id }) => only === undefined || only.some((start) => isBelow(id, start)),
  )) {
    const verdict =
      signal?.aborted === true ? skip(one, 'the run was ended before') : await judge(target, one, wire.taken);
    verdicts.push(verdict);
    onVerdict?.(verdict);
  }
  return { baseUrl, profile, verdicts: verdicts.toSorted(byNumber), jobs: wire.jobs() };
};

/** The statements of each dialect. */
const casesOf = { cloud: allCases, local: localCases, v2: v2Cases };

/** Whether a server tells its node classes. */
const hasClasses = { cloud: true, local: true, v2: false };

/** The node classes, by which workflows are made. */
const classesOf = async (target: Omit<Target, 'workflows'>): Promise<Readonly<Record<string, unknown>>> => {
  const { status, json } = await api(target as Target, 'GET', '/api/object_info');
  const classes = status === 200 ? json() : undefined;
  if (isObject(classes)) return classes;
  throw new Error(`The service gives no node classes: GET /api/object_info answers ${status}.`);
};

/** In the order of their numbers, which are those of chapters and sections. */
const byNumber = (one: Verdict, other: Verdict): number =>
  one.id.localeCompare(other.id, 'en', { numeric: true });

const isBelow = (id: string, start: string): boolean => id === start || id.startsWith(`${start}.`);

const skip = ({ id, title }: ConformanceCase, reason: string): Verdict => ({
  ...{ id, title, reason },
  result: 'skipped',
});

const judge = async (
  target: Target,
  one: ConformanceCase,
  taken: () => readonly Exchange[],
): Promise<Verdict> => {
  const { id, title, needs = [], profiles, run } = one;
  if (profiles !== undefined && !profiles.some((profile) => isOf(target, profile)))
    return skip(one, `it holds in the profile ${profiles.join(' or ')}`);
  const missing = needs.filter((power) => target[power] === undefined);
  if (missing.length > 0)
    return skip(one, `only the operator of the service can show it (${missing.join(', ')})`);
  taken();
  try {
    await run(target);
    return { id, title, result: 'passed' };
  } catch (error) {
    if (error instanceof NotAllowed) return skip(one, error.message);
    const redact = redactorOf([target.apiKey]);
    const reason = redact(error instanceof Error ? error.message : String(error));
    return { id, title, result: 'failed', reason: reason.slice(0, 2_000), exchanges: taken() };
  }
};
