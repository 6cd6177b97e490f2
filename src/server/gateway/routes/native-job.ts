import type { CallerBase } from '../v2/documents.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { nativeDocument } from '../model/native-document.js';
import type { RemoteJob } from '../../../core/events/remote-job.js';
import { outputsOfJob } from '../v2/output-documents.js';

/** A job as the gateway's own routes show it. */
export interface NativeJob extends RemoteJob {
  /** The files of `state.outputs` and where the gateway serves them. */
  readonly files: readonly NativeFile[];
}

/** A file of a job's outputs. */
export interface NativeFile {
  readonly id: string;
  readonly nodeId: string;
  readonly filename: string;
  /** `output`, or `temp` for one of a preview node. */
  readonly type: string;
  readonly mediaType: string;
  readonly url: string;
}

/** Writes a job as the gateway's own routes show it. */
export const nativeJob = (job: GatewayJob, base: CallerBase): NativeJob => ({
  ...nativeDocument(job),
  files: outputsOfJob(job).map(({ id: output, nodeId, name, contentType, file }) => ({
    ...{ id: output, nodeId, filename: name, type: file.type ?? 'output', mediaType: contentType },
    url: `${base}/jobs/${job.record.id}/outputs/${output}`,
  })),
});
