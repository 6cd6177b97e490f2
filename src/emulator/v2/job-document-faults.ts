import type { Answer } from '../http/answer.js';
import { edited, isDue, readCounter } from '../faults/job-answers.js';
import type { EmulatorClock } from '../clock.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import { filesOf } from './output-files.js';
import type { JobFault } from '../fault.js';
import { mediaTypeOf } from '../store/file-store.js';
import { outputType } from './documents.js';

/** Applies the faults of a job to an answer below `/api/v2/jobs/{id}`. */
export type JobDocumentFaults = (method: string, path: string, answer: Answer) => Answer;

/** Makes {@link JobDocumentFaults}, which count the reads of each job after its end. */
export const createJobDocumentFaults = (
  { registry, jobs }: Pick<FaultInjector, 'registry' | 'jobs'>,
  { now }: Pick<EmulatorClock, 'now'>,
  /** The answer for an unknown job. */
  missing: Answer,
): JobDocumentFaults => {
  const countOf = readCounter();
  return (method, path, answer) => {
    if (!registry.isArmed() || method !== 'GET' || answer.status !== 200) return answer;
    const [, jobId, below] = /^\/api\/v2\/jobs\/([^/]+)(\/.*)?$/u.exec(path) ?? [];
    if (jobId === undefined) return answer;
    const isDocument = below === undefined;
    const endedAt = jobs.endOf(jobId);
    const hasEnded = endedAt !== undefined;

    const changedBy = (before: Answer, fault: JobFault): Answer => {
      switch (fault.do) {
        case 'vanish':
          return fault.when !== 'ended' || hasEnded ? missing : before;
        case 'history-lag':
          return isDocument && hasEnded && now() < endedAt + fault.ms
            ? edited(before, (body) => ({ ...body, outputs: [] }))
            : before;
        case 'status':
          return isDocument && isDue(fault.when, hasEnded)
            ? edited(before, (body) => ({ ...body, status: fault.word }))
            : before;
        case 'outputs':
          return isDocument
            ? edited(before, (body) => ({ ...body, outputs: outputsLike(body['outputs'], fault.outputs) }))
            : before;
        case 'late-outputs':
          return isDocument && hasEnded && countOf(jobId) <= fault.reads
            ? edited(before, (body) => ({ ...body, outputs: [] }))
            : before;
        case 'lose':
        case 'finish-while-disconnected':
          return before;
      }
    };
    return registry.ofJob(jobId).reduce(changedBy, answer);
  };
};

/** Outputs under these nodes and names, with the assets of the job's own outputs as far as there are some. */
const outputsLike = (own: unknown, outputs: Readonly<Record<string, unknown>>): readonly object[] => {
  const assets = Array.isArray(own) ? (own as readonly object[]) : [];
  const files = Object.entries(outputs).flatMap(([nodeId, output]) =>
    filesOf(output).map((file) => ({ nodeId, ...file })),
  );
  return files.map(({ nodeId, key, filename }, index) => {
    const contentType = mediaTypeOf(filename);
    const asset = assets[index % Math.max(1, assets.length)] ?? noAsset;
    const type = outputType(key, contentType);
    return { ...asset, node_id: nodeId, name: filename, type, content_type: contentType };
  });
};

const noAsset = {
  id: 'none',
  hash: null,
  size_bytes: 0,
  url: '/api/v2/assets/none/content',
  url_expires_at: '2100-01-01T00:00:00.000Z',
};
