import type * as ioredis from 'ioredis';
import { missing } from './missing-package.js';
import type * as redis from 'redis';

/** The package of a client, where the queue opens one itself; optional peers as well. */
export type ClientPackage =
  | { readonly ioredis: typeof ioredis; readonly redis?: undefined }
  | { readonly ioredis?: undefined; readonly redis: typeof redis };

/** Loads ioredis, or where an address is all that there is (`mayBeRedis`), the package redis in its place. */
export const loadRedisClient = async (
  mayBeRedis: boolean,
  importIoredis: () => Promise<typeof ioredis> = () => import('ioredis'),
  importRedis: () => Promise<typeof redis> = () => import('redis'),
): Promise<ClientPackage> => {
  try {
    return { ioredis: await importIoredis() };
  } catch (cause) {
    if (!mayBeRedis) return missing('ioredis')(cause);
    return { redis: await importRedis().catch(() => missing('ioredis')(cause)) };
  }
};
