import type { OutputFile } from '../../src/protocol/outputs/output-files.js';
import { startChild } from './child.js';

/** A service in a process of its own that has a file of any size, and takes any file. */
export interface FileService {
  readonly baseUrl: string;
  readonly fileOf: (bytes: number) => OutputFile;
  readonly end: () => Promise<void>;
}

export const startFileService = async (): Promise<FileService> => {
  const child = startChild('file-service');
  const port = await child.ask<number>('port');
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    fileOf: (bytes) => ({
      nodeId: '9',
      filename: `${bytes}.bin`,
      subfolder: '',
      type: 'output',
      mediaType: 'application/octet-stream',
    }),
    end: child.end,
  };
};
