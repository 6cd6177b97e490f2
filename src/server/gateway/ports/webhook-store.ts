import type { WebhookKind } from '../../../core/events/webhook-kinds.js';

/** The webhook of a caller. */
export interface WebhookRecord {
  /** The name of the caller; of the webhook of one job a name that no caller has. */
  readonly owner: string;
  /** The job, of a webhook that came with its submission. */
  readonly job?: WebhookJob;
  /** Where messages go. */
  readonly url: string;
  /** Which messages go there. */
  readonly events: readonly WebhookKind[];
  /** `whsec_…` each; several while one replaces another. Not to be shown to anyone. */
  readonly secrets: readonly string[];
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** The position in the owner's log after which its events begin; without one they begin with the job. */
  readonly from?: string;
  /** Why nothing is sent until the caller puts it again. */
  readonly parked?: {
    /** In milliseconds since 1970. */
    readonly at: number;
    /** Without any part of the address. */
    readonly reason: string;
  };
}

/** The job of a webhook of its own. */
export interface WebhookJob {
  /** The id of the job. */
  readonly id: string;
  /** The name of the caller who submitted it. */
  readonly owner: string;
  /** What the addresses of its files begin with. */
  readonly base: string;
  /** The values of inputs that the submission named, files by reference. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** How far the messages of one job are. */
export interface WebhookProgress {
  /** The position of the last event that is done; absent before the first. */
  readonly position?: string;
  /** When the first try of the next message failed, in milliseconds since 1970. */
  readonly failingSince?: number;
}

/** A webhook and how far it is. */
export interface StoredWebhook {
  /** The webhook itself. */
  readonly record: WebhookRecord;
  /** By the id of the job. */
  readonly progress: ReadonlyMap<string, WebhookProgress>;
}

/** Keeps the webhooks of callers, and what they have been sent. */
export interface WebhookStore {
  /** Everything that is kept: read once, at the start. */
  readonly all: () => Promise<readonly StoredWebhook[]>;
  /** Resolves once the webhook is durable; it replaces the owner's former one, and the progress stays. */
  readonly put: (record: WebhookRecord) => Promise<void>;
  /** Forgets the webhook of an owner and its progress. */
  readonly remove: (owner: string) => Promise<void>;
  /** Notes how far a job is; where that gets lost, messages are sent once more. */
  readonly progressed: (owner: string, jobId: string, progress: WebhookProgress) => Promise<void>;
  /** Forgets the progress of a job that is forgotten itself. */
  readonly forget: (owner: string, jobId: string) => Promise<void>;
  /** Releases what the store holds open. */
  readonly close?: () => Promise<void>;
}
