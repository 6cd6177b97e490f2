import { serviceError } from '../../../core/errors/service-error.js';

/** Turns the failure to load a package of a queue into `InvalidConfig`, which says how to install it. */
export const missing =
  (name: string) =>
  (cause: unknown): never => {
    throw serviceError('InvalidConfig', {
      option: 'connection',
      message: `A queue needs the package ${name}, which is not installed.`,
      hint: 'Install both packages of a queue: npm install bullmq@6 ioredis@6',
      cause,
    });
  };
