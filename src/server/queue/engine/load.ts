import type * as bullmq from 'bullmq';
import type * as ioredis from 'ioredis';
import { serviceError } from '../../../core/errors/service-error.js';

/** The packages that a queue needs; both are optional peers of this one. */
export interface Packages {
  readonly bullmq: typeof bullmq;
  readonly ioredis: typeof ioredis;
}

/** Loads the packages; rejects with `InvalidConfig`, which names the one that is missing and how to install it. */
export const loadPackages = async (
  importBullmq: () => Promise<typeof bullmq> = () => import('bullmq'),
  importIoredis: () => Promise<typeof ioredis> = () => import('ioredis'),
): Promise<Packages> => ({
  bullmq: await orMissing('bullmq', importBullmq()),
  ioredis: await orMissing('ioredis', importIoredis()),
});

const orMissing = async <A>(name: string, loading: Promise<A>): Promise<A> => {
  try {
    return await loading;
  } catch (cause) {
    throw serviceError('InvalidConfig', {
      option: 'connection',
      message: `A queue needs the package ${name}, which is not installed.`,
      hint: 'Install both packages of a queue: npm install bullmq@6 ioredis@6',
      cause,
    });
  }
};
