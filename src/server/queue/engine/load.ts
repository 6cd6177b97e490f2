import type * as bullmq from 'bullmq';
import { missing } from '../redis/missing-package.js';

/** The package that hands out the work of a queue; an optional peer of this one. */
export interface Packages {
  readonly bullmq: typeof bullmq;
}

/** Loads BullMQ; rejects with `InvalidConfig`, which says how to install it. */
export const loadPackages = async (
  importBullmq: () => Promise<typeof bullmq> = () => import('bullmq'),
): Promise<Packages> => ({ bullmq: await importBullmq().catch(missing('bullmq')) });
