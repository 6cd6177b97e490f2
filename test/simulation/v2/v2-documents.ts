import type { SimJob } from '../sim-jobs.js';
import type { Answer } from '../sim-rest.js';

const origin = 'https://service.example';
const createdAt = '2026-01-01T00:00:00Z';

/** A job of API v2: what cancels it, or gives it up, shows in its status. */
export interface V2Marks {
  /** Its cancellation was asked for while it ran. */
  isCanceling?: boolean;
  /** The platform gave it up; the ledger calls it failed. */
  isExpired?: boolean;
}

const statuses = {
  pending: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'canceled',
} satisfies Record<SimJob['phase'], string>;

/** The status as the service words it. */
export const statusOf = ({ phase, word, endedAt }: SimJob, marks: V2Marks, now: number): string => {
  if (word !== undefined && now < word.until) return word.word;
  if (endedAt === undefined && marks.isCanceling === true) return 'canceling';
  return phase === 'failed' && marks.isExpired === true ? 'expired' : statuses[phase];
};

/** The whole document of a job, as a GET, a cancellation and the answer to its submission have it. */
export const jobDocument = (job: SimJob, marks: V2Marks, now: number): object => {
  const { promptId, phase, endedAt, plan } = job;
  return {
    id: promptId,
    status: statusOf(job, marks, now),
    created_at: createdAt,
    started_at: phase === 'pending' ? null : createdAt,
    completed_at: endedAt === undefined ? null : createdAt,
    expires_at: '2027-01-01T00:00:00.000Z',
    queue_position: phase === 'pending' && plan.index % 3 !== 0 ? 1 : null,
    // A cloud may show none while the job runs.
    progress:
      phase === 'in_progress' && plan.index % 2 === 0 ? { value: 0, nodes_done: 0, nodes_total: 0 } : null,
    outputs: Object.entries(job.outputs).flatMap(([node, output]) => outputDocuments(job, node, output)),
    error: errorOf(job, marks),
    urls: linksOf(job),
  };
};

/** A server words its links in one of these ways. */
const linksOf = ({ promptId, plan }: SimJob): object => {
  const path = `/api/v2/jobs/${promptId}`;
  const base = [path, `${origin}${path}`][plan.index % 2]!;
  return plan.index % 5 === 4
    ? { self: '', events: '', cancel: '' }
    : { self: base, events: `${base}/events`, cancel: `${base}/cancel` };
};

const errorOf = ({ phase, failure, plan }: SimJob, { isExpired = false }: V2Marks): object | null => {
  if (phase !== 'failed' || plan.withoutMessages === true) return null;
  if (isExpired) return plan.index % 2 === 0 ? null : { code: 'job_expired', message: 'given up' };
  return {
    code: failure?.['exception_type'],
    message: failure?.['exception_message'],
    node_id: failure?.['node_id'],
    class_type: failure?.['node_type'],
    traceback: 'Traceback (most recent call last):\n  …',
  };
};

/** The files of one node, each as a document of its own. */
export const outputDocuments = (
  { promptId, plan }: Pick<SimJob, 'promptId' | 'plan'>,
  node: string,
  output: object,
): readonly object[] => {
  const { images = [] } = output as { readonly images?: readonly { readonly filename: string }[] };
  return images.map(({ filename }, place) => ({
    node_id: node,
    name: filename,
    type: 'image',
    content_type: 'image/png',
    size_bytes: 0,
    id: `asset-${promptId}-${node}-${place}`,
    hash: null,
    url: `${origin}/api/v2/assets/asset-${promptId}-${node}-${place}/content`,
    url_expires_at: '2027-01-01T00:00:00Z',
    ...(plan.index % 2 === 0 ? { job_id: promptId } : {}),
  }));
};

/** A refusal in the envelope of API v2. */
export const refusalOf = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { error: { code, message: 'no', details: null } },
});
