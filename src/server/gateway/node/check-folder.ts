import { checkStore } from '../store/check/check-store.js';
import { forgetOrphans, orphanMessage } from '../store/check/forget-orphans.js';
import { levelPath, openLevel } from './open-level.js';
import { loadClassicLevel } from './load-classic-level.js';
import { isServiceError } from '../../../core/errors/service-error.js';
import { realClock } from '../../../core/platform/clock.js';
import { readdir } from 'node:fs/promises';
import { serviceError } from '../../../core/errors/service-error.js';
import { storeOf } from '../store/store.js';

/** Options of {@link checkFolder}. */
export interface CheckFolderOptions {
  /** Whether what is found is repaired; default false. */
  readonly repair?: boolean | undefined;
}

/** What {@link checkFolder} found. */
export interface FolderReport {
  /** A sentence for each thing that is damaged or lost; empty if all is well. */
  readonly problems: readonly string[];
  /** Whether the folder is as it should be by now. */
  readonly isWhole: boolean;
}

/**
 * Reads everything that {@link filePorts} keeps in a folder, and says what is damaged or lost; with `repair` it makes of it what can be read.
 *
 * What can't be read is set aside, lists and counts that follow from others are made anew, and events that are lost become a gap for
 * readers. Rejects with `InvalidConfig` where a process has the folder or the path has no folder, and with `FileSystem` where the system refuses.
 *
 * @example
 * ```ts
 * import { checkFolder } from 'promptwire/gateway/node';
 *
 * const { problems } = await checkFolder('gateway-data', { repair: true });
 * for (const problem of problems) console.log(problem);
 * ```
 */
export const checkFolder = async (
  folder: string,
  { repair = false }: CheckFolderOptions = {},
): Promise<FolderReport> => {
  await requireStore(folder);
  const problems: string[] = [];
  const check = async (tell: (message: string) => void): Promise<void> => {
    const { level, toError } = await openLevel(folder);
    try {
      const orphans = await checkStore(level, { now: realClock.wall(), all: true, repair, tell });
      if (repair) await forgetOrphans(storeOf(level, { toError }), orphans, tell);
      else for (const { owner, jobId, events } of orphans) tell(orphanMessage(owner, jobId, events));
    } catch (error) {
      throw toError(error);
    } finally {
      await level.close();
    }
  };
  try {
    await check((message) => problems.push(message));
  } catch (error) {
    if (!isDamage(error)) throw error;
    problems.push(error.message);
    if (repair) {
      await repairLevel(folder);
      await check((message) => problems.push(message));
    }
  }
  return { problems, isWhole: repair || problems.length === 0 };
};

const requireStore = async (folder: string): Promise<void> => {
  const names = await readdir(levelPath(folder)).catch(() => []);
  if (names.length > 0) return;
  throw serviceError('InvalidConfig', {
    option: 'folder',
    message: `The folder ${folder} holds no store of a gateway.`,
    hint: 'Name the folder that "promptwire serve --data" or filePorts has.',
  });
};

/** Whether the database itself is damaged. */
const isDamage = (error: unknown): error is Error =>
  isServiceError(error) && error._tag === 'InvalidConfig' && error.message.includes('is damaged');

/** LevelDB makes tables of what its files still hold. */
const repairLevel = async (folder: string): Promise<void> => {
  const { ClassicLevel } = await loadClassicLevel();
  await ClassicLevel.repair(levelPath(folder));
};
