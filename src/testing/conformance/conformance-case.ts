import type { Profile, Target } from './target.js';

/** One statement of docs/protocol.md as a check of a running service. */
export interface ConformanceCase {
  /** The statement's number, e.g. `2.4.1`. */
  readonly id: string;
  /** The rows of the interface that this case vouches for, e.g. `endpoint:POST /api/prompt`. */
  readonly rows?: readonly string[];
  readonly title: string;
  /** Powers without which the case cannot be run. */
  readonly needs?: readonly (keyof Target)[];
  /** Profiles in which the statement holds; all if absent. What holds in `2026` holds in `2026-11`. */
  readonly profiles?: readonly Profile[];
  /** Throws where the service does otherwise. */
  readonly run: (target: Target) => Promise<void>;
}

/** Whether what holds in a profile holds for the target. */
export const isOf = (target: Pick<Target, 'profile'>, profile: Profile): boolean =>
  target.profile === profile || (target.profile === '2026-11' && profile === '2026');

/** Whether a case says something about this target and can be run there. */
export const applies = (target: Target, { needs = [], profiles }: ConformanceCase): boolean =>
  (profiles === undefined || profiles.some((profile) => isOf(target, profile))) &&
  needs.every((power) => target[power] !== undefined);

/** Runs one case outside a test runner: `passed`, or what the service did otherwise. */
export const runCase = async (
  conformanceCase: ConformanceCase,
  target: Target,
): Promise<'passed' | Error> => {
  try {
    await conformanceCase.run(target);
    return 'passed';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};
