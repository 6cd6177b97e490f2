import type * as classicLevel from 'classic-level';
import { serviceError } from '../../../core/errors/service-error.js';

/** Loads the database of a folder, an optional peer of this package; rejects with `InvalidConfig` where it is not installed or can't run. */
export const loadClassicLevel = async (
  importIt: () => Promise<typeof classicLevel> = () => import('classic-level'),
): Promise<typeof classicLevel> => {
  try {
    return await importIt();
  } catch (cause) {
    throw serviceError('InvalidConfig', {
      option: 'folder',
      message:
        'A folder of jobs needs the package classic-level, which is not installed or does not run here.',
      hint:
        'Install it: npm install classic-level@3. Where it does not run, keep jobs in Redis (redisPorts of promptwire/queue), or in memory ' +
        'without a folder.',
      cause,
    });
  }
};
