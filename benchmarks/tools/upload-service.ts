import { startChild } from './child.js';

/** A service in a process of its own that takes any file. */
export interface UploadService {
  readonly baseUrl: string;
  readonly end: () => Promise<void>;
}

export const startUploadService = async (): Promise<UploadService> => {
  const child = startChild('upload-service');
  const port = await child.ask<number>('port');
  return { baseUrl: `http://127.0.0.1:${port}`, end: child.end };
};
