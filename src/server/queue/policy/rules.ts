import { defaultLookRules, type LookRules } from '../../../core/lost/decide-match.js';

/** The times and choices by which a worker finds out what became of a submission. */
export interface SubmissionRules extends LookRules {
  /** How long the service keeps the key of a submission, in milliseconds. */
  readonly keyLifeMs: number;
  /**
   * What happens to a job of which the service shows no trace where that proves nothing: `never` leaves it to a person, and
   * `notFound` submits it again, which may cost twice.
   */
  readonly resubmit: 'never' | 'notFound';
}

/** When a queue over servers submits a job once more, to another server or to the same one. */
export interface ServerRules {
  /**
   * `lost`: where it is certain that its server has forgotten the job, and after `giveUpAfterMs`. `never`: it ends as `untraceable` then.
   * Default `lost` for servers of the local dialect and `never` for all others, where a run costs money.
   */
  readonly rerun?: 'lost' | 'never' | undefined;
  /**
   * How long no worker may reach a server before its jobs are given to others, in milliseconds; default Infinity. A server that comes back
   * may have run them.
   */
  readonly giveUpAfterMs?: number | undefined;
}

/** The rules of a worker without options. The service keeps a key for 24 hours: the last one is a margin for the clocks. */
export const defaultRules: SubmissionRules = {
  ...defaultLookRules,
  keyLifeMs: 23 * 60 * 60 * 1000,
  resubmit: 'never',
};
