import type { CallerBase } from '../v2/documents.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { nativeDocument } from '../model/native-document.js';
import type { RemoteJob } from '../../../core/events/remote-job.js';
import { imageId, imageName } from '../../joblog/job-images.js';
import { type JobOutput, outputsOfJob } from '../v2/output-documents.js';

/** A job as the gateway's own routes show it. */
export interface NativeJob extends RemoteJob {
  /** The files of `state.outputs`, and the pictures of `state.socketImages`, and where the gateway serves them. */
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

/** The pictures that the job sent over the socket and the gateway keeps. */
const imagesOfJob = ({ state }: GatewayJob): readonly NativeOutput[] =>
  (state.socketImages ?? [])
    .filter(({ url }) => url !== undefined)
    .map(({ mediaType, ...place }, at) => ({
      ...{ id: imageId(place), nodeId: place.nodeId, contentType: mediaType, file: {} },
      name: imageName(at, mediaType),
    }));

type NativeOutput = Pick<JobOutput, 'id' | 'nodeId' | 'name' | 'contentType'> & {
  readonly file: Pick<JobOutput['file'], 'type'>;
};

/** Lists the files of a job and the pictures that it sent, and where the gateway serves them. */
export const filesOfJob = (job: GatewayJob, base: CallerBase): readonly NativeFile[] =>
  [...outputsOfJob(job), ...imagesOfJob(job)].map(({ id: output, nodeId, name, contentType, file }) => ({
    ...{ id: output, nodeId, filename: name, type: file.type ?? 'output', mediaType: contentType },
    url: `${base}/jobs/${job.record.id}/outputs/${output}`,
  }));

/** Writes a job as the gateway's own routes show it. */
export const nativeJob = (job: GatewayJob, base: CallerBase): NativeJob => ({
  ...nativeDocument(job, base),
  files: filesOfJob(job, base),
});
