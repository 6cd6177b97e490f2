import type { Answer } from './answer.js';
import type { SampleWorkflows } from './sample-workflows.js';
import type { Wire } from './wire.js';

/** The tiers of chapter 10. */
export type Tier = 'free' | 'standard' | 'creator' | 'pro';

/** The profiles of the protocol document; the newest has all of `2026`. */
export type Profile = 'interface' | '2026' | '2026-11';

/** How an account stands with its payments. */
export type Billing = 'active' | 'no credits' | 'inactive';

/** Why a service refuses a credential, in every call. */
export type ForbiddenReason =
  'FORBIDDEN' | 'workspace_access_denied' | 'no_workspace_access' | 'sso_required' | 'auth_type_not_allowed';

/**
 * The service under test and what the suite may do to it. The optional members are powers that a service gives to
 * its operator only; cases that need one are left out for a target without it.
 */
export interface Target {
  readonly name: string;
  /** `http://host:port`, without a slash at the end. */
  readonly baseUrl: string;
  /** `ws://host:port`, without `/ws`. */
  readonly wsUrl: string;
  readonly apiKey: string;
  readonly profile: Profile;
  /** The plan of the key. */
  readonly tier: Tier;
  /** How long to wait for anything that has to come. */
  readonly patienceMs: number;
  /** Lets the service get on between two looks at it. */
  readonly pause: () => Promise<void>;
  readonly workflows: SampleWorkflows;
  /** Watches what is sent; nothing does without one. */
  readonly wire?: Wire;
  /** A fresh service whose account has this plan. */
  readonly otherTier?: (tier: Tier) => Promise<DisposableTarget>;
  /** A fresh service where only few jobs may wait, and how many. */
  readonly smallQueue?: () => Promise<DisposableTarget & { readonly queueLimit: number }>;
  /** A fresh service whose signed URLs are over as soon as they are made. */
  readonly shortLinks?: () => Promise<DisposableTarget>;
  /** Changes how the account stands. */
  readonly billing?: (billing: Billing) => void;
  /** Has the service refuse the key with 403 for this reason; for none again with undefined. */
  readonly forbid?: (reason: ForbiddenReason | undefined) => void;
  /** Sends a request at which the service fails inside. */
  readonly crash?: (target: Target) => Promise<Answer>;
  /** The key of another account. */
  readonly strangerKey?: string;
}

/** A target that has to be given back. */
export type DisposableTarget = Target & AsyncDisposable;

/** How many jobs run at once on each tier. */
export const jobsAtOnce: Readonly<Record<Tier, number>> = { free: 1, standard: 1, creator: 3, pro: 5 };
