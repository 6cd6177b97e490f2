import { accountsOf, restoreAccount, saveAccount, savedAccount } from '../cloud/cloud-state.js';
import { bytes, list, mapOf, number, object, oneOf, optional, type Read, text } from '../state/read.js';
import type { Metadata } from './job-feed.js';
import type { JobStatus, OutputType, ProgressDocument } from './documents.js';
import type { V2Account, V2Service } from './v2-service.js';

const blob = object({ bytes, contentType: text });
const asset = object({
  id: text,
  hash: optional(text),
  bytes,
  contentType: text,
  filePath: optional(text),
  createdAt: number,
  expiresAt: optional(number),
  jobId: optional(text),
});
const output = object({
  nodeId: text,
  name: text,
  type: oneOf<OutputType>('image', 'video', 'audio', 'text', 'file', 'latent'),
  asset,
});
const progressMembers = object({
  ...{
    value: number,
    nodes_done: number,
    nodes_total: number,
    step: optional(number),
    steps: optional(number),
  },
  ...{ current_node: optional(text), current_node_class: optional(text), message: optional(text) },
});
/** Members that are absent stay so. */
const progress: Read<ProgressDocument> = (value, path) =>
  Object.fromEntries(
    Object.entries(progressMembers(value, path)).filter(([, member]) => member !== undefined),
  ) as unknown as ProgressDocument;

const savedV2Account = object({
  base: savedAccount,
  assets: list(asset),
  blobs: mapOf(blob),
  /** Of the jobs that have ended. */
  ended: mapOf(
    object({
      status: oneOf<JobStatus>('succeeded', 'failed', 'canceled', 'expired'),
      progress: optional(progress),
      outputs: list(output),
    }),
  ),
  labels: mapOf(mapOf(text)),
  keys: mapOf(number),
  uses: mapOf(list(text)),
});
const savedV2 = object({ drawn: number, accounts: list(savedV2Account) });

/** What is kept of a service that speaks API v2: its accounts, their assets, and what it shows of jobs. */
export const saveV2 = ({ base, accounts }: V2Service): unknown => ({
  drawn: base.ids.drawn(),
  accounts: [...accounts.values()].map(saveV2Account),
});

const saveV2Account = ({ base, assets, jobs, keys, uses }: V2Account): unknown => {
  const feeds = jobs.all();
  const ended = feeds.filter(({ job }) => job.endedAt !== undefined);
  return {
    base: saveAccount(base),
    assets: assets.all(),
    blobs: new Map(
      [...assets.blobs()].map(([hash, { bytes, contentType }]) => [hash, { bytes, contentType }]),
    ),
    ended: new Map(
      ended.map(({ job, status, progress: latest, outputs }) => [
        job.id,
        { status: status(), progress: latest(), outputs },
      ]),
    ),
    labels: new Map(
      feeds.flatMap(({ job, metadata }) => {
        const given = metadata();
        return given === undefined ? [] : [[job.id, new Map(Object.entries(given))] as const];
      }),
    ),
    keys: keys.claimed(),
    uses,
  };
};

/** Puts a service back that has nothing yet; throws `InvalidState`. */
export const restoreV2 = (service: V2Service, state: unknown): void => {
  const saved = savedV2(state, 'state');
  service.base.ids.goOnAfter(saved.drawn);
  for (const [account, one] of accountsOf([...service.accounts.values()], saved.accounts))
    restoreV2Account(account, one);
};

const restoreV2Account = (account: V2Account, saved: ReturnType<typeof savedV2Account>): void => {
  const labelsOf = (jobId: string): Metadata | undefined => {
    const labels = saved.labels.get(jobId);
    return labels && Object.fromEntries(labels);
  };
  account.assets.restore(saved.assets, saved.blobs);
  account.keys.restore(saved.keys);
  for (const [jobId, used] of saved.uses) account.uses.set(jobId, used);
  account.jobs.restore(
    new Map([...saved.ended].map(([jobId, feed]) => [jobId, { ...feed, metadata: labelsOf(jobId) }])),
  );
  restoreAccount(account.base, saved.base);
  for (const { id } of saved.base.queue) account.jobs.setMetadata(id, labelsOf(id));
};
