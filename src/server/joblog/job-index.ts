import type { JobImages } from './job-images.js';
import type { SubmissionIds } from '../../core/lost/submission-ids.js';
import type { TerminalPhase } from '../../core/state/job-state.js';
import type { UploadedFile } from '../../core/protocol/file-ref.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What the gateway keeps of a job besides its events. */
export interface JobRecord {
  /** The gateway's own id of the job: 122 random bits, never derived from anything. */
  readonly id: string;
  /** The name of the caller who submitted it. */
  readonly owner: string;
  /** Which of the gateway's clients has the job; `default` where there is one. */
  readonly client: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** From when on the job is unknown, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** As submitted, references intact; without credentials. */
  readonly workflow: Workflow;
  /** Its idempotency key. */
  readonly key?: string;
  /** The caller's own labels of the job. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The template that it was made of. */
  readonly template?: string;
  /** A UUID made before the submission leaves: a local server takes it as the job's id, API v2 as the idempotency key. */
  readonly submissionId: string;
  /** The service's id of the job, as soon as it is known. */
  readonly promptId?: string;
  /** Behind a pool: the server that has it or may have it, from before its submission on. */
  readonly place?: JobPlace;
  /** Behind a pool: what its submission has beside `workflow`, since a job that waits there is submitted by the next process. */
  readonly kept?: KeptSubmission;
  /** When the caller first asked for its end, in milliseconds since 1970. */
  readonly cancelRequestedAt?: number;
  /** How and when it ended, by the gateway's clock; set once its last event is in the log. */
  readonly ended?: { readonly phase: TerminalPhase; readonly at: number };
  /** True if something that was kept can't be read: `workflow` may be empty then, and other members stand for what is lost. */
  readonly unreadable?: true;
}

/** Where a pool sent a job. */
export interface JobPlace {
  /** The name of the server in the pool. */
  readonly server: string;
  /** Which submission of the job it is, from 1. */
  readonly attempt: number;
  /** The server's id of the job, once it has accepted it. */
  readonly promptId?: string;
  /** What the server makes of the id of a submission. */
  readonly submissionIds: SubmissionIds;
}

/** What a submission has beside the workflow as its caller sent it. */
export interface KeptSubmission {
  /** The workflow with names of files in place of references, where it has any. */
  readonly workflow?: Workflow;
  /** Sent as `extra_data`. */
  readonly extraData?: Readonly<Record<string, unknown>>;
  /** The files that it names, and the servers that have them where only one has. */
  readonly files?: readonly { readonly file: UploadedFile; readonly server?: string | undefined }[];
}

/** What becomes known of a job after it was added. */
export type JobRecordChange = Partial<
  Pick<JobRecord, 'promptId' | 'place' | 'cancelRequestedAt' | 'expiresAt' | 'ended'>
>;

/** A process that follows jobs, and for how long unless it renews the lease. */
export interface Lease {
  /** The name of the process: a UUID that it makes at its start. */
  readonly process: string;
  /** Milliseconds, by the clock of the index. */
  readonly forMs: number;
}

/** Tells several processes over one index which of them follows a job until its end. */
export interface JobLeases {
  /** Renews leases, or gives them up with 0 milliseconds; gives the ids of those that the process does not have any more. */
  readonly renew: (ids: readonly string[], lease: Lease) => Promise<readonly string[]>;
  /** Leases all jobs that have not ended and whose lease is over or was never given; atomic for each of them. */
  readonly acquire: (lease: Lease) => Promise<readonly JobRecord[]>;
}

/** What became of a record that was to be added. */
export type AddResult =
  | {
      readonly _tag: 'added';
      /** Jobs that had ended and were forgotten to make room. */
      readonly evicted: readonly JobRecord[];
    }
  /** Its owner has used the key; `existing` is the job that has it, absent if that one is forgotten already. */
  | { readonly _tag: 'keyUsed'; readonly existing?: JobRecord }
  /** There is no room, as too much of what is kept has not ended: of its owner, or of all. */
  | { readonly _tag: 'full'; readonly whose?: 'owner' | 'all' };

/** How much of a record's owner may be kept. */
export interface OwnerShare {
  /** Characters of all records of the owner, as JSON; its own jobs that have ended make room. */
  readonly maxSize?: number | undefined;
}

/** A page of a list: the newest records first. */
export interface RecordPage {
  /** The id of the last record of the page before. */
  readonly after?: string | undefined;
  /** The most records of the page. */
  readonly limit: number;
}

/** Knows which jobs there are, and which idempotency keys were used. */
export interface JobIndex {
  /**
   * Adds a job durably, before its submission leaves; the claim of its key is atomic: of ten thousand equal calls at once one adds.
   * With `leases` the new job is leased from the start. Where there is no room, jobs that have ended are forgotten: the oldest of the owner that has
   * most, and only the record's own owner's for what exceeds its share.
   */
  readonly add: (record: JobRecord, lease?: Lease, share?: OwnerShare) => Promise<AddResult>;
  /** Resolves once the change is durable; does nothing for an unknown job. */
  readonly update: (id: string, change: JobRecordChange) => Promise<void>;
  /** The record of an id, or undefined. */
  readonly get: (id: string) => Promise<JobRecord | undefined>;
  /** Whether there is a record of an id; absent if the index does not know before it has read it. */
  readonly has?: (id: string) => Promise<boolean>;
  /** The newest jobs first, of one owner or of all. */
  readonly list: (owner: string | undefined, page: RecordPage) => Promise<readonly JobRecord[]>;
  /** Takes back a job that the service refused: it never was, and its key may be used again. */
  readonly remove: (id: string) => Promise<void>;
  /** Forgets the jobs that have ended and whose `expiresAt` is past at `now`, and gives them; their keys stay used until 24 hours after their creation. */
  readonly expire: (now: number) => Promise<readonly JobRecord[]>;
  /** Writes a value without meaning; rejects if the index can store nothing, as on a full disk. */
  readonly probe?: () => Promise<void>;
  /** How many records and other entries could not be read: they are set aside, and the rest goes on. */
  readonly damaged?: () => number | Promise<number>;
  /**
   * Keeps pictures of `SaveImageWebsocket` nodes for as long as their jobs. Absent if the index keeps none: they are lost then, and
   * their jobs say that outputs may be missing.
   */
  readonly images?: JobImages;
  /** Which process follows a job; absent if one process has the index alone. */
  readonly leases?: JobLeases;
  /** Releases what the index holds open. */
  readonly close?: () => Promise<void>;
}
