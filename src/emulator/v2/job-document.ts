import { type Asset, fileOf } from './asset-store.js';
import {
  type AssetDocument,
  type JobDocument,
  type JobErrorDocument,
  type OutputDocument,
  timestamp,
} from './documents.js';
import type { Failure } from '../scheduler/job.js';
import type { JobFeed, JobOutput } from './job-feed.js';
import type { Settings } from '../settings.js';
import type { SignedUrls } from '../store/signed-urls.js';

/** Writes the documents of jobs and assets. */
export interface DocumentWriter {
  readonly job: (feed: JobFeed, origin: string) => JobDocument;
  /** With the path of its content as `url`, unless assets have signed addresses. */
  readonly output: (output: JobOutput) => OutputDocument;
  readonly asset: (asset: Asset, origin: string, createdNew?: boolean) => AssetDocument;
}

/** Options of {@link createDocumentWriter}. */
export interface DocumentWriterOptions {
  readonly settings: Settings;
  readonly signedUrls: SignedUrls;
}

/** Makes the writer of one emulator; `origin` is the one that the client used. */
export const createDocumentWriter = ({
  settings: { switches, clock },
  signedUrls,
}: DocumentWriterOptions): DocumentWriter => {
  const root = `${switches.basePath}/api/v2`;

  /** The link to the content and its end. */
  const link = (asset: Asset): { readonly url: string; readonly url_expires_at: string } => ({
    url:
      switches.assetLinks === 'content'
        ? `${root}/assets/${asset.id}/content`
        : signedUrls.sign(fileOf(asset)),
    url_expires_at: timestamp(clock.now() + switches.signedUrlMs),
  });
  const output: DocumentWriter['output'] = ({ nodeId, name, type, asset }) => ({
    node_id: nodeId,
    name,
    type,
    content_type: asset.contentType,
    size_bytes: switches.outputDetails === 'known' ? asset.bytes.length : 0,
    id: asset.id,
    hash: asset.hash ?? null,
    ...link(asset),
    ...(asset.jobId === undefined ? {} : { job_id: asset.jobId }),
  });

  const job: DocumentWriter['job'] = (feed, origin) => {
    const { id, createdAt, startedAt, endedAt, failure } = feed.job;
    const metadata = feed.metadata();
    const status = feed.status();
    const self = `${switches.jobLinks === 'absolute' ? origin : ''}${root}/jobs/${id}`;
    const isMoving = status === 'running' || status === 'canceling';
    return {
      id,
      status,
      created_at: timestamp(createdAt),
      started_at: startedAt === undefined ? null : timestamp(startedAt),
      completed_at: endedAt === undefined ? null : timestamp(endedAt),
      expires_at: timestamp(createdAt + switches.retentionMs),
      queue_position: feed.queuePosition(),
      progress: isMoving && !switches.polledProgress ? null : (feed.progress() ?? null),
      outputs: feed.outputs.map((one) => withOrigin(output(one), origin)),
      error:
        failure === undefined || (status === 'expired' && switches.lostJob === 'expired')
          ? null
          : errorOf(failure),
      metrics: { queue_ms: msBetween(createdAt, startedAt), execution_ms: msBetween(startedAt, endedAt) },
      ...(metadata === undefined ? {} : { metadata }),
      urls: {
        self,
        events: `${self}/events`,
        cancel: `${self}/cancel`,
        ...(switches.logs ? { logs: `${self}/logs` } : {}),
      },
    };
  };

  const asset: DocumentWriter['asset'] = (one, origin, createdNew) => ({
    id: one.id,
    hash: one.hash ?? null,
    size_bytes: one.bytes.length,
    content_type: one.contentType,
    ...(one.filePath === undefined ? {} : { file_path: one.filePath }),
    ...(createdNew === undefined ? {} : { created_new: createdNew }),
    created_at: timestamp(one.createdAt),
    ...withOrigin(link(one), origin),
    ...(one.expiresAt === undefined ? {} : { expires_at: timestamp(one.expiresAt) }),
    ...(one.jobId === undefined ? {} : { job_id: one.jobId }),
  });

  return { job, output, asset };
};

const msBetween = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : Math.round(to - from);

/** Makes a `url` that is a path an address of the origin that the client used. */
export const withOrigin = <A extends { readonly url: string }>(document: A, origin: string): A =>
  document.url.startsWith('/') ? { ...document, url: origin + document.url } : document;

/** Why a job failed: in a node, or before any node ran. */
const errorOf = ({
  node_id,
  node_type,
  exception_type,
  exception_message,
  traceback,
}: Failure): JobErrorDocument => ({
  code:
    node_id === null ? (codesWithoutNode.get(exception_type) ?? 'execution_error') : 'node_execution_error',
  message: exception_message.trimEnd(),
  ...(node_id === null ? {} : { node_id }),
  ...(node_type === null ? {} : { class_type: node_type }),
  ...(traceback.length === 0 ? {} : { traceback: traceback.join('') }),
});

const codesWithoutNode: ReadonlyMap<string, string> = new Map([
  ['InsufficientFundsError', 'insufficient_credits'],
  ['InactiveSubscriptionError', 'forbidden'],
  ['ValidationError', 'invalid_workflow'],
  ['WorkerLost', 'worker_lost'],
]);
