import type { Account, Service } from './cloud-service.js';
import { InvalidState } from '../state/invalid-state.js';
import {
  endedJob,
  savedEnded,
  savedWaiting,
  saveEnded,
  saveWaiting,
  waitingJob,
} from '../scheduler/saved-job.js';
import { list, number, object, text } from '../state/read.js';
import { savedFile, storedFile } from '../store/saved-file.js';

/** Reads what is kept of an account: its files, and its jobs, of which those that had not ended are in the order of the queue. */
export const savedAccount = object({
  files: list(savedFile),
  ended: list(savedEnded),
  queue: list(savedWaiting),
  forgotten: list(text),
  deletedAssets: list(text),
});

/** What is kept of an account. A job that runs begins anew. */
export const saveAccount = ({ files, scheduler, deletedAssets }: Account): unknown => ({
  files: files.all(),
  ended: scheduler.jobs().flatMap((job) => (job.endedAt === undefined ? [] : [saveEnded(job, job.endedAt)])),
  queue: [...scheduler.running(), ...scheduler.waiting()].map(saveWaiting),
  forgotten: scheduler.forgotten(),
  deletedAssets: [...deletedAssets],
});

/** Puts an account back that has nothing yet. */
export const restoreAccount = (account: Account, saved: ReturnType<typeof savedAccount>): void => {
  for (const file of saved.files) account.files.put(storedFile(file));
  for (const id of saved.deletedAssets) account.deletedAssets.add(id);
  const jobs = [...saved.ended.map(endedJob), ...saved.queue.map(waitingJob)];
  account.scheduler.restore({
    jobs: jobs.toSorted((one, other) => one.number - other.number),
    queue: saved.queue.map(({ id }) => id),
    forgotten: saved.forgotten,
  });
};

const savedCloud = object({ drawn: number, accounts: list(savedAccount) });

/** What is kept of a hosted service: its accounts in the order of their keys, without the keys. */
export const saveCloud = ({ ids, accounts }: Service): unknown => ({
  drawn: ids.drawn(),
  accounts: accounts.map(saveAccount),
});

/** Puts a hosted service back that has nothing yet; throws {@link InvalidState}. */
export const restoreCloud = (service: Service, state: unknown): void => {
  const saved = savedCloud(state, 'state');
  service.ids.goOnAfter(saved.drawn);
  for (const [account, one] of accountsOf(service.accounts, saved.accounts)) restoreAccount(account, one);
};

/** Each saved account with the one that has its place. */
export const accountsOf = <A, Saved>(
  accounts: readonly A[],
  saved: readonly Saved[],
): readonly (readonly [A, Saved])[] =>
  saved.map((one, at) => {
    const account = accounts[at];
    if (account === undefined)
      throw new InvalidState(
        `the state has ${saved.length} accounts, and this emulator ${accounts.length}: it takes as many keys`,
      );
    return [account, one];
  });
