import * as E from '../protocol/either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { downloadFailed } from './download-failed.js';
import { fileContent } from './file-content.js';
import type { FileBodyOptions } from './file-body.js';
import { wholeExtent } from './file-extent.js';
import { canResume, partExtent } from './part-extent.js';
import { followSigned, type HopOptions } from './redirect.js';
import type { FileBytes, ResumePoint } from './rest.js';

/** What is known of the file, and where its address came from. */
export interface SignedFileOptions extends FileBodyOptions, Pick<HopOptions, 'platform' | 'home' | 'from'> {
  /** Where to go on; without a strong name for the bytes that are there already, the whole file is asked for. */
  readonly resume: ResumePoint | undefined;
}

/**
 * Fetches the file that a signed address leads to, its body still to come (see {@link followSigned} for what is followed).
 *
 * Left is `DownloadFailed` as well for a part that does not go on where `resume` says or is of other bytes
 * (docs/protocol.md, chapter 8).
 */
export const signedFile = async (
  location: string | undefined,
  { resume: asked, ...options }: SignedFileOptions,
): Promise<E.Either<ServiceError, FileBytes>> => {
  const resume = asked !== undefined && canResume(asked) ? asked : undefined;
  const answer = await followSigned(location, { ...options, resume });
  if (E.isLeft(answer)) return answer;
  const { right: response } = answer;
  const { status } = response;
  const isPart = resume !== undefined && status === 206;
  const extent = isPart ? partExtent(response, resume) : wholeExtent(response);
  if (extent !== undefined) return fileContent(response, extent, options);
  options.scope.release();
  response.discard();
  const reason = 'the storage sent another part than was asked for';
  return E.left(downloadFailed(options.filename, reason, options.context, { status }));
};
