import type { McpService } from './service/mcp-service.js';
import { outputKind } from '../../core/state/output-files.js';
import { serviceError } from '../../core/errors/service-error.js';
import { toBase64 } from './base64.js';

/** What a resource holds. */
export type FileContent =
  { readonly mimeType: string; readonly text: string } | { readonly mimeType: string; readonly blob: string };

/** The files of jobs as resources. */
export interface McpFiles {
  /** Reads the file at a place of the files of a job; rejects with a `ServiceError`. */
  readonly read: (job: string, index: number) => Promise<FileContent>;
}

/** Reads files of jobs up to a size: a host keeps them in memory. */
export const createMcpFiles = (
  service: Pick<McpService, 'status' | 'files'>,
  maxFileBytes = 64 * 1024 * 1024,
): McpFiles => ({
  read: async (job, index) => {
    const file = (await service.files(await service.status(job)))[index];
    if (file === undefined) throw serviceError('NotFound', { message: `Job ${job} has no file ${index}.` });
    const bytes = await file.bytes();
    if (bytes.length > maxFileBytes)
      throw serviceError('TooLarge', {
        message: `The file has ${bytes.length} bytes, and a resource gives at most ${maxFileBytes}.`,
        hint: 'Let the server save files (`save`, or --out of the command), or raise `maxFileBytes`.',
      });
    const { mediaType: mimeType } = file;
    return outputKind(mimeType) === 'text'
      ? { mimeType, text: new TextDecoder().decode(bytes) }
      : { mimeType, blob: toBase64(bytes) };
  },
});
